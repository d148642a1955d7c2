// Between time_t and broken-down times: gmtime, localtime, mktime and their relatives. time64.c includes this file.
#define _GNU_SOURCE
#include <time.h>

#include "../internal.h"
#include "calendar.h"

static struct tm *break_down(time_t seconds, struct tm *out, const char *zone)
{
    if (!__symcrete_break_down(seconds, out))
        return NULL;
    out->tm_zone = zone;
    return out;
}

static struct tm shared;

struct tm *gmtime_r(const time_t *restrict seconds, struct tm *restrict out)
{
    return break_down(*seconds, out, "GMT");
}

struct tm *localtime_r(const time_t *restrict seconds, struct tm *restrict out)
{
    return break_down(*seconds, out, "UTC");
}

struct tm *gmtime(const time_t *seconds)
{
    return break_down(*seconds, &shared, "GMT");
}

struct tm *localtime(const time_t *seconds)
{
    return break_down(*seconds, &shared, "UTC");
}

// Also brings the fields into their ranges.
static time_t normalise(struct tm *time, const char *zone)
{
    long long seconds = __symcrete_seconds(time);
    struct tm result;
    if (seconds != (time_t)seconds) {
        errno = EOVERFLOW;
        return -1;
    }
    if (!__symcrete_break_down(seconds, &result))
        return -1;
    result.tm_zone = zone;
    *time = result;
    return (time_t)seconds;
}

time_t mktime(struct tm *time)
{
    return normalise(time, "UTC");
}
#ifndef SYMCRETE_TIME64
ALIAS(timelocal, mktime);
#endif

time_t timegm(struct tm *time)
{
    return normalise(time, "GMT");
}

double difftime(time_t later, time_t earlier)
{
    return (double)later - (double)earlier;
}

char *ctime_r(const time_t *seconds, char *out)
{
    struct tm time;
    return break_down(*seconds, &time, "UTC") == NULL ? NULL : __symcrete_calendar_text(&time, out, 26);
}

char *ctime(const time_t *seconds)
{
    return break_down(*seconds, &shared, "UTC") == NULL ? NULL : asctime(&shared);
}
