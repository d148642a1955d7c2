// Comparisons of <time.h>: calendar conversions, strftime, strptime; in UTC.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "differential.h"

OURS(gmtime);
OURS(gmtime_r);
OURS(localtime);
OURS(localtime_r);
OURS(mktime);
OURS(timegm);
OURS(asctime);
OURS(asctime_r);
OURS(ctime);
OURS(strftime);
OURS(wcsftime);
OURS(strptime);
OURS(difftime);
OURS(time);
OURS(clock_gettime);

static int same_time(const struct tm *a, const struct tm *b)
{
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday
           && a->tm_mon == b->tm_mon && a->tm_year == b->tm_year && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday
           && a->tm_isdst == b->tm_isdst && a->tm_gmtoff == b->tm_gmtoff;
}

static time_t random_time(void)
{
    switch (random_below(4)) {
    case 0:
        return (time_t)random_bits() >> random_below(40);
    case 1:
        return (time_t)(random_bits() % 8000000000) - 4000000000;
    default:
        return (time_t)(random_bits() >> 31);
    }
}

static void compare_conversions(time_t when, struct tm *shared)
{
    struct tm theirs, ours;
    memset(&theirs, 0, sizeof theirs);
    memset(&ours, 0, sizeof ours);
    errno = our_errno = 0;
    struct tm *a = gmtime_r(&when, &theirs), *b = our_gmtime_r(&when, &ours);
    CHECK((a == NULL) == (b == NULL) && errno == our_errno, "gmtime_r %ld", (long)when);
    if (a == NULL || b == NULL)
        return;
    CHECK(same_time(a, b) && strcmp(a->tm_zone, b->tm_zone) == 0, "gmtime_r %ld", (long)when);
    CHECK(timegm(&theirs) == when && our_timegm(&ours) == when, "timegm %ld", (long)when);
    localtime_r(&when, &theirs);
    our_localtime_r(&when, &ours);
    CHECK(same_time(&theirs, &ours) && strcmp(theirs.tm_zone, ours.tm_zone) == 0, "localtime_r %ld", (long)when);
    if (theirs.tm_year <= INT_MAX - 1900) {
        CHECK(strcmp(asctime(&theirs), our_asctime(&ours)) == 0, "asctime %ld", (long)when);
        CHECK(strcmp(ctime(&when), our_ctime(&when)) == 0, "ctime %ld", (long)when);
    }
    *shared = theirs;
}

static int random_field(int usual)
{
    return random_below(4) ? (int)random_below((unsigned)usual) : (int)random_bits() >> random_below(32);
}

static void compare_normalising(void)
{
    struct tm theirs = {.tm_sec = random_field(60),
                        .tm_min = random_field(60),
                        .tm_hour = random_field(24),
                        .tm_mday = random_field(31),
                        .tm_mon = random_field(12),
                        .tm_year = random_field(200)};
    struct tm ours = theirs, given = theirs;
    errno = our_errno = 0;
    time_t expected = mktime(&theirs), got = our_mktime(&ours);
    CHECK(expected == got && same_time(&theirs, &ours), "mktime %d-%d-%d %d:%d:%d: %ld, ours %ld", given.tm_year,
          given.tm_mon, given.tm_mday, given.tm_hour, given.tm_min, given.tm_sec, (long)expected, (long)got);
    CHECK(errno == our_errno, "errno of mktime: %d, ours %d", errno, our_errno);
}

static void random_format(char *out)
{
    static const char conversions[] = "aAbBcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%EOqi";
    for (unsigned count = 1 + random_below(4); count > 0; count--) {
        *out++ = '%';
        if (random_below(3) == 0)
            *out++ = "_-0^#"[random_below(5)];
        if (random_below(8) == 0)
            *out++ = "_-0^#"[random_below(5)];
        if (random_below(4) == 0)
            out += sprintf(out, "%u", random_below(14));
        if (random_below(10) == 0)
            *out++ = "EO"[random_below(2)];
        *out++ = conversions[random_below(sizeof conversions - 1)];
        if (random_below(4) == 0)
            *out++ = " x-"[random_below(3)];
    }
    *out = '\0';
}

static void compare_formatting(struct tm *when)
{
    char format[64], theirs[256] = "", ours[256] = "";
    random_format(format);
    size_t size = random_below(4) ? sizeof theirs : random_below(30);
    // Not compared: two modifiers, and the case of what is no conversion after all.
    if ((strchr(format, '#') && strpbrk(format, "EO")) || strstr(format, "EO") || strstr(format, "OE")
        || strstr(format, "EE") || strstr(format, "OO"))
        return;
    size_t expected = strftime(theirs, size, format, when), got = our_strftime(ours, size, format, when);
    CHECK(expected == got && (expected == 0 || strcmp(theirs, ours) == 0),
          "strftime \"%s\" (year %d, mon %d, mday %d, wday %d, yday %d), size %zu: \"%s\", ours \"%s\"", format,
          when->tm_year, when->tm_mon, when->tm_mday, when->tm_wday, when->tm_yday, size, theirs, ours);
}

static void compare_parsing(struct tm *when)
{
    static const char *formats[] = {
        "%Y-%m-%d %H:%M:%S", "%a, %d %b %Y %T", "%c",    "%D %r", "%j %Y", "%I:%M %p %F", "%B %e, %Y",
        "%H%M%S%n%y%m%d",    "%A %d",           "%C %y", "%s",    "%m/%d", "%R %z",       "%u %w %U"};
    char text[128] = "";
    const char *format = formats[random_below(14)];
    strftime(text, sizeof text, format, when);
    if (random_below(4) == 0)
        text[random_below((unsigned)strlen(text) + 1)] = "0x :-9"[random_below(6)];
    struct tm theirs = {.tm_mday = 1}, ours = theirs;
    char *expected = strptime(text, format, &theirs), *got = our_strptime(text, format, &ours);
    CHECK(expected == got, "strptime \"%s\" \"%s\": %td, ours %td", text, format, expected ? expected - text : -1,
          got ? got - text : -1);
    // Not compared: weeks that lead out of the year, and years before 1, where glibc goes astray.
    if (expected != NULL && got != NULL && theirs.tm_mon >= 0 && theirs.tm_mon < 12 && theirs.tm_year > -1900)
        CHECK(same_time(&theirs, &ours),
              "strptime \"%s\" \"%s\": %d-%d-%d %d:%d:%d w%d y%d, ours %d-%d-%d %d:%d:%d w%d y%d", text, format,
              theirs.tm_year, theirs.tm_mon, theirs.tm_mday, theirs.tm_hour, theirs.tm_min, theirs.tm_sec,
              theirs.tm_wday, theirs.tm_yday, ours.tm_year, ours.tm_mon, ours.tm_mday, ours.tm_hour, ours.tm_min,
              ours.tm_sec, ours.tm_wday, ours.tm_yday);
}

void test_time(void)
{
    struct tm when = {.tm_mday = 1, .tm_zone = "UTC"};
    for (int round = 0; round < 20000; round++) {
        compare_conversions(random_time(), &when);
        compare_normalising();
        compare_formatting(&when);
        if (when.tm_year >= -1900 + 1000 && when.tm_year < 8099)
            compare_parsing(&when);
    }
    wchar_t wide[64];
    CHECK(our_wcsftime(wide, 64, L"%Y!", &when) > 0 && wcschr(wide, L'!') != NULL, "wcsftime");
    CHECK(our_difftime(5, 3) == 2.0, "difftime");
    struct timespec now;
    CHECK(our_clock_gettime(CLOCK_REALTIME, &now) == 0 && our_time(NULL) - time(NULL) <= 1, "time");
}
