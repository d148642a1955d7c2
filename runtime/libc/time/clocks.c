// Clocks and waiting, over the engine's reproducible clock. Waiting takes no time. time64.c includes this file.
#define _GNU_SOURCE
#include <limits.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "../internal.h"

struct moment {
    long long seconds, nanoseconds;
};

static long read_clock(clockid_t clock, struct moment *now)
{
    *now = (struct moment){0, 0};
    return __symcrete_clock(clock, &now->seconds, &now->nanoseconds);
}

// Time that the program has used; where the engine has no such clock, time since it started.
static struct moment processor_time(void)
{
    struct moment now;
    if (read_clock(CLOCK_PROCESS_CPUTIME_ID, &now) < 0)
        read_clock(CLOCK_MONOTONIC, &now);
    return now;
}

time_t time(time_t *out)
{
    struct moment now;
    read_clock(CLOCK_REALTIME, &now);
    if (out != NULL)
        *out = (time_t)now.seconds;
    return (time_t)now.seconds;
}

static int get_time(clockid_t clock, struct timespec *out)
{
    struct moment now;
    long answer = read_clock(clock, &now);
    if (answer < 0)
        return (int)__symcrete_result(answer);
    out->tv_sec = (time_t)now.seconds;
    out->tv_nsec = (long)now.nanoseconds;
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
    return get_time(clock, out);
}

int clock_getres(clockid_t clock, struct timespec *out)
{
    struct moment now;
    long answer = read_clock(clock, &now);
    if (answer < 0)
        return (int)__symcrete_result(answer);
    if (out != NULL)
        *out = (struct timespec){.tv_sec = 0, .tv_nsec = 1};
    return 0;
}

int timespec_get(struct timespec *out, int base)
{
    return base == TIME_UTC && get_time(CLOCK_REALTIME, out) == 0 ? base : 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    struct moment now;
    read_clock(CLOCK_REALTIME, &now);
    if (zone != NULL)
        memset(zone, 0, sizeof(struct timezone));
    if (out == NULL)
        return 0;
    out->tv_sec = (time_t)now.seconds;
    out->tv_usec = (suseconds_t)(now.nanoseconds / 1000);
    return 0;
}

int getrusage(__rusage_who_t who, struct rusage *out)
{
    struct moment used = {0, 0};
    if (who == RUSAGE_SELF)
        used = processor_time();
    else if (who != RUSAGE_CHILDREN && who != RUSAGE_THREAD)
        return __symcrete_fail(EINVAL);
    if (!__symcrete_is_there(out, sizeof *out, 1))
        return -1;
    memset(out, 0, sizeof *out);
    out->ru_utime.tv_sec = (time_t)used.seconds;
    out->ru_utime.tv_usec = (suseconds_t)(used.nanoseconds / 1000);
    return 0;
}

// The clock is not the program's to set.
int settimeofday(const struct timeval *time, const struct timezone *zone)
{
    (void)time;
    (void)zone;
    return __symcrete_fail(EPERM);
}

int clock_settime(clockid_t clock, const struct timespec *time)
{
    (void)clock;
    (void)time;
    return __symcrete_fail(EPERM);
}

int nanosleep(const struct timespec *duration, struct timespec *left)
{
    if (!__symcrete_is_there(duration, sizeof *duration, 0))
        return -1;
    if (duration->tv_nsec < 0 || duration->tv_nsec > 999999999 || duration->tv_sec < 0)
        return __symcrete_fail(EINVAL);
    if (left != NULL)
        *left = (struct timespec){.tv_sec = 0};
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *duration, struct timespec *left)
{
    (void)clock;
    (void)flags;
    if (__symcrete_user_memory(duration, sizeof *duration, 0) != 0)
        return EFAULT;
    if (duration->tv_nsec < 0 || duration->tv_nsec > 999999999)
        return EINVAL;
    if (left != NULL)
        *left = (struct timespec){.tv_sec = 0};
    return 0;
}

int thrd_sleep(const struct timespec *duration, struct timespec *left)
{
    (void)duration;
    if (left != NULL)
        *left = (struct timespec){.tv_sec = 0};
    return 0;
}

// What has no time_t, or only the one of old.
#ifndef SYMCRETE_TIME64
clock_t clock(void)
{
    struct moment used = processor_time();
    return (clock_t)(used.seconds * CLOCKS_PER_SEC + used.nanoseconds / (1000000000 / CLOCKS_PER_SEC));
}

clock_t times(struct tms *out)
{
    struct moment used = processor_time();
    clock_t ticks = (clock_t)(used.seconds * 100 + used.nanoseconds / 10000000);
    if (out != NULL)
        *out = (struct tms){.tms_utime = ticks};
    return ticks;
}

int ftime(struct timeb *out)
{
    struct moment now;
    read_clock(CLOCK_REALTIME, &now);
    memset(out, 0, sizeof *out);
    out->time = (time_t)now.seconds;
    out->millitm = (unsigned short)(now.nanoseconds / 1000000);
    return 0;
}

unsigned sleep(unsigned seconds)
{
    (void)seconds;
    return 0;
}

int usleep(useconds_t microseconds)
{
    (void)microseconds;
    return 0;
}
#endif
