// Times of files that exist are accepted without effect, as their permissions are (files.c).
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <utime.h>

#include "../internal.h"

static int exists(const char *path)
{
    struct symcrete_stat ignored;
    return (int)__symcrete_result(__symcrete_stat(path, &ignored));
}

int utime(const char *path, const struct utimbuf *times)
{
    (void)times;
    return exists(path);
}

int utimes(const char *path, const struct timeval times[2])
{
    (void)times;
    return exists(path);
}

int futimens(int descriptor, const struct timespec times[2])
{
    (void)times;
    struct symcrete_stat ignored;
    return (int)__symcrete_result(__symcrete_fstat(descriptor, &ignored));
}

int utimensat(int directory, const char *path, const struct timespec times[2], int flags)
{
    (void)times;
    (void)flags;
    return directory == AT_FDCWD || *path == '/' ? exists(path) : __symcrete_fail(ENOSYS);
}
