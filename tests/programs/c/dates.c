// Fixed times: gmtime, timegm, mktime in UTC, strftime with many conversions, strptime-free parsing, leap years.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const time_t moments[] = {0, 1, 86399, 86400, 951782400, 951868799, 1000000000, 1234567890, 1709210096, 2147483647, 2147483648,
                                 4102444800, -1, -86400, -2208988800, 253402300799};

static void show(const struct tm *time) {
    printf("%d-%d-%d %d:%d:%d %d %d %d\n", time->tm_year, time->tm_mon, time->tm_mday, time->tm_hour, time->tm_min, time->tm_sec,
           time->tm_wday, time->tm_yday, time->tm_isdst);
}

static void formats(const struct tm *time) {
    char text[200];
    size_t length = strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %W %w %y %C %e %I %p %Z %z %%", time);
    printf("%zu %s\n", length, text);
    strftime(text, sizeof text, "%F|%T|%D|%R|%r|%c|%x|%X|%h|%u|%V|%G|%g|%n|%t|%k|%l|%s", time);
    printf("%s\n", text);
}

static void normalising(void) {
    struct tm time = {.tm_year = 124, .tm_mon = 13, .tm_mday = -5, .tm_hour = 49, .tm_min = -61, .tm_sec = 3700};
    time_t seconds = mktime(&time);
    printf("%ld ", (long)seconds);
    show(&time);
    struct tm leap = {.tm_year = 100, .tm_mon = 1, .tm_mday = 30};
    printf("%ld ", (long)timegm(&leap));
    show(&leap);
}

static int day_of_week(int year, int month, int day) {
    static const int offsets[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    year -= month < 3;
    return (year + year / 4 - year / 100 + year / 400 + offsets[month - 1] + day) % 7;
}

int main(void) {
    setenv("TZ", "UTC", 1);
    tzset();
    for (unsigned index = 0; index < sizeof moments / sizeof moments[0]; index++) {
        struct tm *time = gmtime(&moments[index]), copy;
        show(time);
        formats(time);
        gmtime_r(&moments[index], &copy);
        printf("%d %s", timegm(&copy) == moments[index], asctime(time));
        localtime_r(&moments[index], &copy);
        printf("%d %s", mktime(&copy) == moments[index], ctime(&moments[index]));
        printf("%d\n", day_of_week(copy.tm_year + 1900, copy.tm_mon + 1, copy.tm_mday) == copy.tm_wday);
    }
    normalising();
    char small[5];
    printf("%zu %g\n", strftime(small, sizeof small, "%Y-%m", gmtime(&moments[3])), difftime(moments[6], moments[3]));
    return 0;
}
