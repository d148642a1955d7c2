// The calendar: days, months and years, and their text. Local time is UTC. What depends on time_t is in conversions.c.
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../internal.h"
#include "calendar.h"
#include "names.h"

char *__tzname[2] = {(char *)"UTC", (char *)"UTC"};
long __timezone;
int __daylight;
ALIAS(tzname, __tzname);
ALIAS(timezone, __timezone);
ALIAS(daylight, __daylight);

enum { SECONDS_A_DAY = 86400, DAYS_IN_400_YEARS = 146097 };

static long long floor_divide(long long value, long long by)
{
    long long quotient = value / by;
    return value % by < 0 ? quotient - 1 : quotient;
}

static int is_leap(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// Days of the year before each month, in common and leap years.
static const int days_before_month[2][13] = {
    {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
    {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
};

long long __symcrete_days_before(long long year, long long month)
{
    year += floor_divide(month, 12);
    month -= floor_divide(month, 12) * 12;
    long long before = year - 1; // whole years from the year 1 on
    long long leap_days = floor_divide(before, 4) - floor_divide(before, 100) + floor_divide(before, 400);
    return before * 365 + leap_days + days_before_month[is_leap(year)][month] - 719162; // days from 0001-01-01 to 1970
}

int __symcrete_break_down(long long seconds, struct tm *out)
{
    long long days = floor_divide(seconds, SECONDS_A_DAY);
    int second_of_day = (int)(seconds - days * SECONDS_A_DAY);
    // A guess that is at most one year off.
    long long year = 1970 + floor_divide(days * 400, DAYS_IN_400_YEARS);
    while (__symcrete_days_before(year, 0) > days)
        year--;
    while (__symcrete_days_before(year + 1, 0) <= days)
        year++;
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return 0;
    }
    int day_of_year = (int)(days - __symcrete_days_before(year, 0)), month = 0;
    while (days_before_month[is_leap(year)][month + 1] <= day_of_year)
        month++;
    long long weekday = (days + 4) % 7; // 1970 began on a Thursday
    memset(out, 0, sizeof *out);
    out->tm_year = (int)(year - 1900);
    out->tm_mon = month;
    out->tm_mday = day_of_year - days_before_month[is_leap(year)][month] + 1;
    out->tm_yday = day_of_year;
    out->tm_wday = (int)(weekday < 0 ? weekday + 7 : weekday);
    out->tm_hour = second_of_day / 3600;
    out->tm_min = second_of_day / 60 % 60;
    out->tm_sec = second_of_day % 60;
    return 1;
}

long long __symcrete_seconds(const struct tm *time)
{
    long long days = __symcrete_days_before((long long)time->tm_year + 1900, time->tm_mon) + time->tm_mday - 1;
    return ((days * 24 + time->tm_hour) * 60 + time->tm_min) * 60 + time->tm_sec;
}

void tzset(void)
{
}

int dysize(int year)
{
    return is_leap(year) ? 366 : 365;
}

char *__symcrete_calendar_text(const struct tm *time, char *out, size_t size)
{
    const char *day = time->tm_wday < 0 || time->tm_wday > 6 ? "???" : short_day_names[time->tm_wday];
    const char *month = time->tm_mon < 0 || time->tm_mon > 11 ? "???" : short_month_names[time->tm_mon];
    if (time->tm_year > INT_MAX - 1900) {
        errno = EOVERFLOW;
        return NULL;
    }
    int length = snprintf(out, size, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, time->tm_mday, time->tm_hour,
                          time->tm_min, time->tm_sec, time->tm_year + 1900);
    if (length < 0 || (size_t)length >= size) {
        errno = EOVERFLOW;
        return NULL;
    }
    return out;
}

char *asctime_r(const struct tm *restrict time, char *restrict out)
{
    return __symcrete_calendar_text(time, out, 26);
}

char *asctime(const struct tm *time)
{
    static char text[128];
    return __symcrete_calendar_text(time, text, sizeof text);
}
