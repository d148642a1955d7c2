// strftime in the C locale, with glibc's flags (_ - 0 ^ #), widths and additional conversions.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "../internal.h"
#include "calendar.h"
#include "names.h"

// The text so far. Nothing is written past the end, but the full length is counted.
struct output {
    char *text;
    size_t size, length;
};

struct conversion {
    char pad;  // '_', '-', '0', or 0 for the conversion's own way
    int width; // -1: the conversion's own
    int upper, swap_case;
};

static void put(struct output *out, char c)
{
    if (out->length < out->size)
        out->text[out->length] = c;
    out->length++;
}

static char cased(char c, int upper, int lower)
{
    if (lower)
        return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
    return upper && c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c;
}

static void put_text(struct output *out, struct conversion how, const char *text, int upper, int lower)
{
    int length = (int)strlen(text);
    for (int i = length; i < how.width; i++)
        put(out, how.pad == '0' ? '0' : ' ');
    for (int i = 0; i < length; i++)
        put(out, cased(text[i], upper || how.upper, lower));
}

// A number of at least `digits` digits, padded with `pad` unless the flags say otherwise.
static void put_number(struct output *out, struct conversion how, long long value, int digits, char pad)
{
    char text[24], *end = text + sizeof text, *start = end;
    int negative = value < 0;
    start = __symcrete_decimal(end, value) + negative;
    if (how.pad != 0)
        pad = how.pad;
    int length = (int)(end - start), width = how.width > digits || pad == '-' ? how.width : digits;
    int missing = width - length - negative;
    if (pad == '_' || pad == '-')
        for (; missing > 0; missing--)
            put(out, ' ');
    if (negative)
        put(out, '-');
    for (; missing > 0; missing--)
        put(out, '0');
    for (; start != end; start++)
        put(out, *start);
}

static const char *name(const char *const *names, int count, int index)
{
    return index < 0 || index >= count ? "?" : names[index];
}

static int is_leap(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static void put_format(struct output *out, const char *format, const struct tm *time, int upper);

// The year and week of ISO 8601: weeks begin on Monday, and belong to the year that their Thursday is in.
static int iso_week(const struct tm *time, long long *year)
{
    int monday_based = (time->tm_wday + 6) % 7;
    int thursday = time->tm_yday - monday_based + 3;
    *year = (long long)time->tm_year + 1900;
    if (thursday < 0) {
        (*year)--;
        thursday += 365 + is_leap(*year);
    } else if (thursday >= 365 + is_leap(*year)) {
        thursday -= 365 + is_leap(*year);
        (*year)++;
    }
    return thursday / 7 + 1;
}

static void put_zone_offset(struct output *out, struct conversion how, const struct tm *time)
{
    if (time->tm_isdst < 0)
        return;
    long minutes = time->tm_gmtoff / 60;
    put_text(out, how, minutes < 0 ? "-" : "+", 0, 0);
    if (minutes < 0)
        minutes = -minutes;
    put_number(out, how, minutes / 60 * 100 + minutes % 60, 4, '0');
}

// Padded as text is.
static void put_seconds(struct output *out, struct conversion how, const struct tm *time)
{
    char text[24];
    text[sizeof text - 1] = '\0';
    put_text(out, how, __symcrete_decimal(text + sizeof text - 1, __symcrete_seconds(time)), 0, 0);
}

static int hour_of_twelve(const struct tm *time)
{
    int hour = time->tm_hour > 12 ? time->tm_hour - 12 : time->tm_hour;
    return hour == 0 ? 12 : hour;
}

// Conversions that stand for a format of their own.
static void put_composite(struct output *out, struct conversion how, const char *format, const struct tm *time)
{
    char text[256];
    struct output inner = {text, sizeof text - 1, 0};
    put_format(&inner, format, time, how.upper);
    text[inner.length < sizeof text - 1 ? inner.length : sizeof text - 1] = '\0';
    put_text(out, how, text, how.upper, 0);
}

static int put_text_conversion(struct output *out, struct conversion how, char letter, const struct tm *time)
{
    int upper = how.swap_case;
    switch (letter) {
    case 'a':
        put_text(out, how, name(short_day_names, 7, time->tm_wday), upper, 0);
        return 1;
    case 'A':
        put_text(out, how, name(day_names, 7, time->tm_wday), upper, 0);
        return 1;
    case 'b':
    case 'h':
        put_text(out, how, name(short_month_names, 12, time->tm_mon), upper, 0);
        return 1;
    case 'B':
        put_text(out, how, name(month_names, 12, time->tm_mon), upper, 0);
        return 1;
    case 'p':
        put_text(out, how, time->tm_hour > 11 ? "PM" : "AM", 0, how.swap_case);
        return 1;
    case 'P':
        put_text(out, how, time->tm_hour > 11 ? "pm" : "am", 0, 1);
        return 1;
    case 'Z':
        put_text(out, how, time->tm_zone != NULL ? time->tm_zone : "", 0, how.swap_case);
        return 1;
    case 'n':
        put_text(out, how, "\n", 0, 0);
        return 1;
    case 't':
        put_text(out, how, "\t", 0, 0);
        return 1;
    case '%':
        put_text(out, how, "%", 0, 0);
        return 1;
    case 'c':
        put_composite(out, how, "%a %b %e %H:%M:%S %Y", time);
        return 1;
    case 'D':
    case 'x':
        put_composite(out, how, "%m/%d/%y", time);
        return 1;
    case 'F':
        put_composite(out, how, "%Y-%m-%d", time);
        return 1;
    case 'r':
        put_composite(out, how, "%I:%M:%S %p", time);
        return 1;
    case 'R':
        put_composite(out, how, "%H:%M", time);
        return 1;
    case 'T':
    case 'X':
        put_composite(out, how, "%H:%M:%S", time);
        return 1;
    default:
        return 0;
    }
}

static int put_number_conversion(struct output *out, struct conversion how, char letter, const struct tm *time)
{
    long long year = (long long)time->tm_year + 1900, iso_year;
    int week = iso_week(time, &iso_year);
    switch (letter) {
    case 'C':
        put_number(out, how, year / 100 - (year % 100 < 0), 1, '0');
        return 1;
    case 'd':
        put_number(out, how, time->tm_mday, 2, '0');
        return 1;
    case 'e':
        put_number(out, how, time->tm_mday, 2, '_');
        return 1;
    case 'g':
        put_number(out, how, (iso_year % 100 + 100) % 100, 2, '0');
        return 1;
    case 'G':
        put_number(out, how, iso_year, 1, '0');
        return 1;
    case 'H':
        put_number(out, how, time->tm_hour, 2, '0');
        return 1;
    case 'I':
        put_number(out, how, hour_of_twelve(time), 2, '0');
        return 1;
    case 'j':
        put_number(out, how, (long long)time->tm_yday + 1, 3, '0');
        return 1;
    case 'k':
        put_number(out, how, time->tm_hour, 2, '_');
        return 1;
    case 'l':
        put_number(out, how, hour_of_twelve(time), 2, '_');
        return 1;
    case 'm':
        put_number(out, how, (long long)time->tm_mon + 1, 2, '0');
        return 1;
    case 'M':
        put_number(out, how, time->tm_min, 2, '0');
        return 1;
    case 's':
        put_seconds(out, how, time);
        return 1;
    case 'S':
        put_number(out, how, time->tm_sec, 2, '0');
        return 1;
    case 'u':
        put_number(out, how, (time->tm_wday + 6) % 7 + 1, 1, '0');
        return 1;
    case 'U':
        put_number(out, how, (time->tm_yday - time->tm_wday + 7) / 7, 2, '0');
        return 1;
    case 'V':
        put_number(out, how, week, 2, '0');
        return 1;
    case 'w':
        put_number(out, how, time->tm_wday, 1, '0');
        return 1;
    case 'W':
        put_number(out, how, (time->tm_yday - (time->tm_wday + 6) % 7 + 7) / 7, 2, '0');
        return 1;
    case 'y':
        put_number(out, how, (year % 100 + 100) % 100, 2, '0');
        return 1;
    case 'Y':
        put_number(out, how, year, 1, '0');
        return 1;
    case 'z':
        put_zone_offset(out, how, time);
        return 1;
    default:
        return 0;
    }
}

// Whether the conversion takes the modifier; E and O change nothing in the C locale.
static int accepts(char modifier, char letter)
{
    return modifier == '\0' || letter == '\0'
           || strchr(modifier == 'E' ? "aAbBdDeFgGhHIjklmMSUVwW" : "aAcDFxXY", letter) == NULL;
}

// What is no conversion is shown as it is, but in the width and case it asks for.
static void put_unknown(struct output *out, struct conversion how, const char *start, const char *last)
{
    for (int i = (int)(last - start) + 1; i < how.width; i++)
        put(out, how.pad == '0' ? '0' : ' ');
    for (; start <= last; start++)
        put(out, cased(*start, how.upper, 0));
}

static void put_format(struct output *out, const char *format, const struct tm *time, int upper)
{
    for (; *format != '\0'; format++) {
        if (*format != '%') {
            put(out, *format);
            continue;
        }
        const char *start = format++;
        struct conversion how = {0, -1, upper, 0};
        for (;; format++) {
            if (*format == '_' || *format == '-' || *format == '0')
                how.pad = *format;
            else if (*format == '^')
                how.upper = 1;
            else if (*format == '#')
                how.swap_case = 1;
            else
                break;
        }
        if (*format >= '0' && *format <= '9')
            for (how.width = 0; *format >= '0' && *format <= '9'; format++)
                how.width = how.width > 100000000 ? how.width : how.width * 10 + (*format - '0');
        char modifier = *format == 'E' || *format == 'O' ? *format++ : '\0';
        if (accepts(modifier, *format)
            && (put_text_conversion(out, how, *format, time) || put_number_conversion(out, how, *format, time)))
            continue;
        if (*format == '\0')
            format--;
        put_unknown(out, how, start, format);
    }
}

size_t strftime(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict time)
{
    struct output out = {text, size, 0};
    put_format(&out, format, time, 0);
    if (out.length >= size)
        return 0;
    text[out.length] = '\0';
    return out.length;
}

size_t strftime_l(char *restrict text, size_t size, const char *restrict format, const struct tm *restrict time,
                  locale_t locale)
{
    (void)locale;
    return strftime(text, size, format, time);
}
ALIAS(__strftime_l, strftime_l);

// The narrow result, widened. Formats are plain multibyte text in the end.
size_t wcsftime(wchar_t *restrict text, size_t size, const wchar_t *restrict format, const struct tm *restrict time)
{
    size_t length = 0, format_size = wcslen(format) * 6 + 1;
    char *narrow_format = malloc(format_size), *narrow = malloc(size * 6 + 1);
    if (narrow_format != NULL && narrow != NULL && wcstombs(narrow_format, format, format_size) != (size_t)-1) {
        size_t narrow_length = strftime(narrow, size * 6 + 1, narrow_format, time);
        length = narrow_length == 0 ? 0 : mbstowcs(text, narrow, size);
    }
    free(narrow_format);
    free(narrow);
    if (length >= size)
        return 0;
    text[length] = L'\0';
    return length;
}
