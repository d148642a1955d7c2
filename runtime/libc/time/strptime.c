// strptime in the C locale: the reverse of strftime.
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "../internal.h"
#include "calendar.h"
#include "names.h"

// What was read but can only be used at the end.
struct reading {
    struct tm *time;
    int century, year_uses_century; // century -1: not given
    int afternoon, hour_of_twelve;  // whether tm_hour is 1 to 12, to be adjusted
    int week, week_starts_on;       // week -1: not given
    int has_month, has_day, has_weekday, has_day_of_year;
    int dated; // whether the day of the week and of the year are wanted
};

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_space(const char *text)
{
    while (is_space(*text))
        text++;
    return text;
}

// A number of at most `digits` digits between two bounds, after white space. It ends before a digit that would make it
// too large.
static const char *number(const char *text, int least, int most, int digits, int *out)
{
    int value = 0, count = 0;
    text = skip_space(text);
    for (; count < digits && value * 10 <= most && *text >= '0' && *text <= '9'; count++, text++)
        value = value * 10 + (*text - '0');
    if (count == 0 || value < least || value > most)
        return NULL;
    *out = value;
    return text;
}

static int starts_with(const char *text, const char *word)
{
    for (; *word != '\0'; word++, text++)
        if ((*text | 32) != (*word | 32))
            return 0;
    return 1;
}

// The full name or its first three letters.
static const char *one_of(const char *text, const char *const *names, int count, int *out)
{
    for (int i = 0; i < count; i++) {
        char shortened[4] = {names[i][0], names[i][1], names[i][2], '\0'};
        int full = starts_with(text, names[i]);
        if (full || starts_with(text, shortened)) {
            *out = i;
            return text + (full ? strlen(names[i]) : 3);
        }
    }
    return NULL;
}

static const char *read_format(const char *text, const char *format, struct reading *reading);

// +hh, +hhmm, +hh:mm or Z
static const char *zone_offset(const char *text, struct tm *time)
{
    text = skip_space(text);
    if (*text == 'Z') {
        time->tm_gmtoff = 0;
        return text + 1;
    }
    if (*text != '+' && *text != '-')
        return NULL;
    int negative = *text++ == '-', count = 0;
    long value = 0;
    for (; count < 4 && *text >= '0' && *text <= '9'; count++) {
        value = value * 10 + (*text++ - '0');
        if (count == 1 && *text == ':')
            text++;
    }
    if (count == 2)
        value *= 100;
    else if (count != 4)
        return NULL;
    if (value % 100 >= 60)
        return NULL;
    long seconds = (value / 100 * 60 + value % 100) * 60;
    time->tm_gmtoff = negative ? -seconds : seconds;
    return text;
}

static const char *read_seconds_since_1970(const char *text, struct tm *time)
{
    long long seconds = 0;
    if (*text < '0' || *text > '9')
        return NULL;
    for (; *text >= '0' && *text <= '9'; text++)
        seconds = seconds * 10 + (*text - '0');
    if (!__symcrete_break_down(seconds, time))
        return NULL;
    time->tm_zone = "UTC";
    return text;
}

static const char *read_time_of_day(char letter, const char *text, struct reading *reading)
{
    struct tm *time = reading->time;
    switch (letter) {
    case 'H':
    case 'k':
        reading->hour_of_twelve = 0;
        return number(text, 0, 23, 2, &time->tm_hour);
    case 'I':
    case 'l':
        text = number(text, 1, 12, 2, &time->tm_hour);
        time->tm_hour %= 12;
        reading->hour_of_twelve = 1;
        return text;
    case 'M':
        return number(text, 0, 59, 2, &time->tm_min);
    case 'S':
        return number(text, 0, 61, 2, &time->tm_sec);
    case 'p':
        if (!starts_with(text, "AM") && !starts_with(text, "PM"))
            return NULL;
        reading->afternoon = starts_with(text, "PM");
        return text + 2;
    case 'R':
        return read_format(text, "%H:%M", reading);
    case 'r':
        return read_format(text, "%I:%M:%S %p", reading);
    case 'T':
    case 'X':
        return read_format(text, "%H:%M:%S", reading);
    default:
        return NULL;
    }
}

static const char *read_date(char letter, const char *text, struct reading *reading)
{
    struct tm *time = reading->time;
    int ignored, value;
    switch (letter) {
    case 'a':
    case 'A':
        reading->has_weekday = 1;
        return one_of(text, day_names, 7, &time->tm_wday);
    case 'b':
    case 'B':
    case 'h':
        reading->has_month = reading->dated = 1;
        return one_of(text, month_names, 12, &time->tm_mon);
    case 'C':
        reading->dated = 1;
        return number(text, 0, 99, 2, &reading->century);
    case 'd':
    case 'e':
        reading->has_day = reading->dated = 1;
        return number(text, 1, 31, 2, &time->tm_mday);
    case 'j':
        reading->has_day_of_year = 1;
        text = number(text, 1, 366, 3, &value);
        if (text != NULL)
            time->tm_yday = value - 1;
        return text;
    case 'm':
        reading->has_month = reading->dated = 1;
        text = number(text, 1, 12, 2, &value);
        if (text != NULL)
            time->tm_mon = value - 1;
        return text;
    case 'u':
        reading->has_weekday = 1;
        text = number(text, 1, 7, 1, &value);
        if (text != NULL)
            time->tm_wday = value % 7;
        return text;
    case 'w':
        reading->has_weekday = 1;
        return number(text, 0, 6, 1, &time->tm_wday);
    case 'U':
    case 'W':
        reading->week_starts_on = letter == 'W';
        return number(text, 0, 53, 2, &reading->week);
    case 'V':
        return number(text, 0, 53, 2, &ignored);
    case 'g':
        return number(text, 0, 99, 2, &ignored);
    case 'G':
        return number(text, 0, 9999, 4, &ignored);
    case 'y':
        reading->dated = reading->year_uses_century = 1;
        text = number(text, 0, 99, 2, &value);
        if (text != NULL)
            time->tm_year = value >= 69 ? value : value + 100;
        return text;
    case 'Y':
        reading->dated = 1;
        reading->century = -1;
        reading->year_uses_century = 0;
        text = number(text, 0, 9999, 4, &value);
        if (text != NULL)
            time->tm_year = value - 1900;
        return text;
    case 'c':
        return read_format(text, "%a %b %e %H:%M:%S %Y", reading);
    case 'D':
    case 'x':
        return read_format(text, "%m/%d/%y", reading);
    case 'F':
        return read_format(text, "%Y-%m-%d", reading);
    default:
        return read_time_of_day(letter, text, reading);
    }
}

static const char *read_conversion(char letter, const char *text, struct reading *reading)
{
    switch (letter) {
    case '%':
        return *text == '%' ? text + 1 : NULL;
    case 'n':
    case 't':
        return skip_space(text);
    case 's':
        return read_seconds_since_1970(text, reading->time);
    case 'z':
        return zone_offset(text, reading->time);
    case 'Z': // read, but not used
        text = skip_space(text);
        while (*text != '\0' && !is_space(*text))
            text++;
        return text;
    default:
        return read_date(letter, text, reading);
    }
}

static const char *read_format(const char *text, const char *format, struct reading *reading)
{
    for (; *format != '\0' && text != NULL; format++) {
        if (is_space(*format)) {
            text = skip_space(text);
        } else if (*format != '%') {
            text = *text == *format ? text + 1 : NULL;
        } else {
            format++;
            while (*format == '_' || *format == '-' || *format == '0' || *format == '^' || *format == '#')
                format++;
            if (*format == 'E' || *format == 'O')
                format++;
            text = read_conversion(*format, text, reading);
        }
    }
    return text;
}

// Month and day of the month from the day of the year, as far as they were not given.
static void date_from_day_of_year(struct reading *reading)
{
    struct tm *time = reading->time, date;
    long long days = __symcrete_days_before((long long)time->tm_year + 1900, 0) + time->tm_yday;
    if (!__symcrete_break_down(days * 86400, &date))
        return;
    if (!reading->has_month)
        time->tm_mon = date.tm_mon;
    if (!reading->has_day)
        time->tm_mday = date.tm_mday;
}

static int weekday_of(long long days)
{
    return (int)(((days + 4) % 7 + 7) % 7);
}

static void complete(struct reading *reading)
{
    struct tm *time = reading->time;
    if (reading->hour_of_twelve && reading->afternoon)
        time->tm_hour += 12;
    if (reading->century >= 0)
        time->tm_year = (reading->century - 19) * 100 + (reading->year_uses_century ? time->tm_year % 100 : 0);
    long long year = (long long)time->tm_year + 1900, new_year = __symcrete_days_before(year, 0);
    if (reading->dated && !reading->has_weekday) {
        if (!(reading->has_month && reading->has_day) && reading->has_day_of_year)
            date_from_day_of_year(reading);
        time->tm_wday = weekday_of(__symcrete_days_before(year, time->tm_mon) + time->tm_mday - 1);
    }
    if (reading->dated && !reading->has_day_of_year)
        time->tm_yday = (int)(__symcrete_days_before(year, time->tm_mon) + time->tm_mday - 1 - new_year);
    if (reading->week >= 0 && reading->has_weekday) {
        int first = weekday_of(new_year) - reading->week_starts_on;
        if (!reading->has_day_of_year)
            time->tm_yday =
                (7 - first) % 7 + (reading->week - 1) * 7 + (time->tm_wday - reading->week_starts_on + 7) % 7;
        date_from_day_of_year(reading);
    }
}

char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict time)
{
    struct reading reading = {.time = time, .century = -1, .week = -1};
    const char *end = read_format(text, format, &reading);
    if (end != NULL)
        complete(&reading);
    return (char *)end;
}
