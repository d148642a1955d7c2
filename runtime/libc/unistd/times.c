// The times of files. time/time64.c includes this file, for a time_t of 64 bits.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "../internal.h"

enum { NANOSECONDS_OF_A_MICROSECOND = 1000, MICROSECONDS = 1000000 };

// What the engine takes: seconds and nanoseconds of two times.
struct file_times {
    long long words[4];
};

// 0, or -1 with EINVAL for what is no microsecond. The C library reads these itself; times in nanoseconds are read by the kernel.
static int from_microseconds(struct file_times *out, const struct timeval times[2])
{
    for (int i = 0; i < 2; i++) {
        if (times[i].tv_usec < 0 || times[i].tv_usec >= MICROSECONDS)
            return __symcrete_fail(EINVAL);
        out->words[2 * i] = times[i].tv_sec;
        out->words[2 * i + 1] = (long long)times[i].tv_usec * NANOSECONDS_OF_A_MICROSECOND;
    }
    return 0;
}

static int from_nanoseconds(struct file_times *out, const struct timespec times[2])
{
    if (!__symcrete_is_there(times, 2 * sizeof *times, 0))
        return -1;
    for (int i = 0; i < 2; i++) {
        out->words[2 * i] = times[i].tv_sec;
        out->words[2 * i + 1] = times[i].tv_nsec;
    }
    return 0;
}

static int set_microseconds(int directory, const char *path, const struct timeval times[2], int flags)
{
    struct file_times wanted;
    if (times != NULL && from_microseconds(&wanted, times) < 0)
        return -1;
    const long long *words = times == NULL ? NULL : wanted.words;
    return (int)__symcrete_result(__symcrete_utimensat(directory, path, words, flags));
}

int utime(const char *path, const struct utimbuf *times)
{
    struct file_times wanted = {{0, 0, 0, 0}};
    if (times != NULL) {
        wanted.words[0] = times->actime;
        wanted.words[2] = times->modtime;
    }
    return (int)__symcrete_result(__symcrete_utimensat(AT_FDCWD, path, times == NULL ? NULL : wanted.words, 0));
}

int utimes(const char *path, const struct timeval times[2])
{
    return set_microseconds(AT_FDCWD, path, times, 0);
}

int lutimes(const char *path, const struct timeval times[2])
{
    return set_microseconds(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

int futimes(int descriptor, const struct timeval times[2])
{
    struct file_times wanted;
    if (times != NULL && from_microseconds(&wanted, times) < 0)
        return -1;
    return (int)__symcrete_result(__symcrete_futimens(descriptor, times == NULL ? NULL : wanted.words));
}

// Without a path it is the open file itself.
int futimesat(int directory, const char *path, const struct timeval times[2])
{
    return path == NULL ? futimes(directory, times) : set_microseconds(directory, path, times, 0);
}

int futimens(int descriptor, const struct timespec times[2])
{
    struct file_times wanted;
    if (times != NULL && from_nanoseconds(&wanted, times) < 0)
        return -1;
    return (int)__symcrete_result(__symcrete_futimens(descriptor, times == NULL ? NULL : wanted.words));
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags)
{
    struct file_times wanted;
    if ((uintptr_t)path == 0)
        return __symcrete_fail(EINVAL);
    if (times != NULL && from_nanoseconds(&wanted, times) < 0)
        return -1;
    const long long *words = times == NULL ? NULL : wanted.words;
    return (int)__symcrete_result(__symcrete_utimensat(directory, path, words, flags));
}
