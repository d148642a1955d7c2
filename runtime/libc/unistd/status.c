// The stat family, with the names that older and newer glibc headers use. time/time64.c includes this file, for a struct stat
// with 64-bit times.
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../internal.h"

#define COPY_STATUS(out, in)                                                                                           \
    do {                                                                                                               \
        memset(out, 0, sizeof *(out));                                                                                 \
        (out)->st_dev = (in)->device;                                                                                  \
        (out)->st_ino = (__typeof((out)->st_ino))(in)->inode;                                                          \
        (out)->st_mode = (mode_t)(in)->mode;                                                                           \
        (out)->st_nlink = (nlink_t)(in)->links;                                                                        \
        (out)->st_uid = (uid_t)(in)->user;                                                                             \
        (out)->st_gid = (gid_t)(in)->group;                                                                            \
        (out)->st_rdev = (in)->rdevice;                                                                                \
        (out)->st_size = (__typeof((out)->st_size))(in)->size;                                                         \
        (out)->st_blksize = (blksize_t)(in)->block_size;                                                               \
        (out)->st_blocks = (__typeof((out)->st_blocks))(in)->blocks;                                                   \
        (out)->st_atim.tv_sec = (time_t)(in)->access_seconds;                                                          \
        (out)->st_atim.tv_nsec = (long)(in)->access_nanoseconds;                                                       \
        (out)->st_mtim.tv_sec = (time_t)(in)->modify_seconds;                                                          \
        (out)->st_mtim.tv_nsec = (long)(in)->modify_nanoseconds;                                                       \
        (out)->st_ctim.tv_sec = (time_t)(in)->change_seconds;                                                          \
        (out)->st_ctim.tv_nsec = (long)(in)->change_nanoseconds;                                                       \
    } while (0)

// Where the size does not fit, as with 32-bit offsets, the call fails.
static int fill(struct stat *out, long answer, const struct symcrete_stat *status)
{
    if (answer < 0)
        return (int)__symcrete_result(answer);
    if (status->size != (off_t)status->size)
        return __symcrete_fail(EOVERFLOW);
    if (!__symcrete_is_there(out, sizeof *out, 1))
        return -1;
    COPY_STATUS(out, status);
    return 0;
}

static long status_at(int directory, const char *path, int flags, struct symcrete_stat *status)
{
    return __symcrete_statat(directory, path, flags, status);
}

// Defines a set of functions for one of the layouts of struct stat.
#define STATUS_FUNCTIONS(suffix, fill)                                                                                 \
    int stat##suffix(const char *restrict path, struct stat##suffix *restrict out)                                     \
    {                                                                                                                  \
        struct symcrete_stat status;                                                                                   \
        return fill(out, __symcrete_stat(path, &status), &status);                                                     \
    }                                                                                                                  \
    int lstat##suffix(const char *restrict path, struct stat##suffix *restrict out)                                    \
    {                                                                                                                  \
        struct symcrete_stat status;                                                                                   \
        return fill(out, __symcrete_lstat(path, &status), &status);                                                    \
    }                                                                                                                  \
    int fstat##suffix(int descriptor, struct stat##suffix *out)                                                        \
    {                                                                                                                  \
        struct symcrete_stat status;                                                                                   \
        return fill(out, __symcrete_fstat(descriptor, &status), &status);                                              \
    }                                                                                                                  \
    int fstatat##suffix(int directory, const char *restrict path, struct stat##suffix *restrict out, int flags)        \
    {                                                                                                                  \
        struct symcrete_stat status;                                                                                   \
        return fill(out, status_at(directory, path, flags, &status), &status);                                         \
    }

STATUS_FUNCTIONS(, fill)

#ifndef SYMCRETE_TIME64
static int fill64(struct stat64 *out, long answer, const struct symcrete_stat *status)
{
    if (answer < 0)
        return (int)__symcrete_result(answer);
    if (!__symcrete_is_there(out, sizeof *out, 1))
        return -1;
    COPY_STATUS(out, status);
    return 0;
}

STATUS_FUNCTIONS(64, fill64)

// What headers before glibc 2.33 call.
#define OLD_STATUS_FUNCTIONS(suffix, fill)                                                                             \
    int __xstat##suffix(int version, const char *path, struct stat##suffix *out);                                      \
    int __lxstat##suffix(int version, const char *path, struct stat##suffix *out);                                     \
    int __fxstat##suffix(int version, int descriptor, struct stat##suffix *out);                                       \
    int __fxstatat##suffix(int version, int directory, const char *path, struct stat##suffix *out, int flags);         \
    int __xstat##suffix(int version, const char *path, struct stat##suffix *out)                                       \
    {                                                                                                                  \
        (void)version;                                                                                                 \
        struct symcrete_stat status;                                                                                   \
        return fill(out, __symcrete_stat(path, &status), &status);                                                     \
    }                                                                                                                  \
    int __lxstat##suffix(int version, const char *path, struct stat##suffix *out)                                      \
    {                                                                                                                  \
        (void)version;                                                                                                 \
        struct symcrete_stat status;                                                                                   \
        return fill(out, __symcrete_lstat(path, &status), &status);                                                    \
    }                                                                                                                  \
    int __fxstat##suffix(int version, int descriptor, struct stat##suffix *out)                                        \
    {                                                                                                                  \
        (void)version;                                                                                                 \
        struct symcrete_stat status;                                                                                   \
        return fill(out, __symcrete_fstat(descriptor, &status), &status);                                              \
    }                                                                                                                  \
    int __fxstatat##suffix(int version, int directory, const char *path, struct stat##suffix *out, int flags)          \
    {                                                                                                                  \
        (void)version;                                                                                                 \
        struct symcrete_stat status;                                                                                   \
        return fill(out, status_at(directory, path, flags, &status), &status);                                         \
    }

OLD_STATUS_FUNCTIONS(, fill)
OLD_STATUS_FUNCTIONS(64, fill64)

// The functions behind the macros of <sys/sysmacros.h>.
unsigned gnu_dev_major(dev_t device)
{
    return (unsigned)(device >> 8 & 0xfff) | (unsigned)(device >> 32 & ~0xfffu);
}

unsigned gnu_dev_minor(dev_t device)
{
    return (unsigned)(device & 0xff) | (unsigned)(device >> 12 & ~0xffu);
}

dev_t gnu_dev_makedev(unsigned major, unsigned minor)
{
    return (dev_t)(minor & 0xff) | (dev_t)(major & 0xfff) << 8 | (dev_t)(minor & ~0xffu) << 12
           | (dev_t)(major & ~0xfffu) << 32;
}
#endif
