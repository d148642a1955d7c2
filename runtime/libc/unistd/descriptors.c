// File descriptors: open, read, write, seek, duplicate, and what fcntl and ioctl can say about them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "../internal.h"
#include "../pipe_signal.h"

int __open_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
mode_t __symcrete_apply_umask(mode_t mode);
ssize_t __symcrete_read_at(int descriptor, void *buffer, size_t count, long long offset);

// Until the program chooses its own mask, the engine's applies, which is taken to be the usual one.
static mode_t chosen_mask = 022;
static int mask_was_chosen;

mode_t umask(mode_t mask)
{
    mode_t before = chosen_mask;
    chosen_mask = mask & 0777;
    mask_was_chosen = 1;
    return before;
}

mode_t __symcrete_apply_umask(mode_t mode)
{
    return mask_was_chosen ? mode & ~chosen_mask : mode;
}

// How descriptors were opened, for F_GETFL.
enum { REMEMBERED = 256, SHOWN_FLAGS = O_ACCMODE | O_APPEND | O_NONBLOCK | O_SYNC };
static int opened_with[REMEMBERED];

static int open_path(const char *path, int flags, mode_t mode)
{
    long descriptor = __symcrete_open(path, flags, __symcrete_apply_umask(mode));
    if (descriptor >= 0 && descriptor < REMEMBERED)
        opened_with[descriptor] = flags & SHOWN_FLAGS;
    return (int)__symcrete_result(descriptor);
}

// Paths relative to an open directory are beyond the engine, unless they are absolute after all.
static int open_relative(int directory, const char *path, int flags, mode_t mode)
{
    if (directory != AT_FDCWD && *path != '/')
        return __symcrete_fail(ENOSYS);
    return open_path(path, flags, mode);
}

static int needs_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (needs_mode(flags)) {
        va_list more;
        va_start(more, flags);
        mode = (mode_t)va_arg(more, int);
        va_end(more);
    }
    return open_path(path, flags, mode);
}
ALIAS(open64, open);
ALIAS(__open, open);
ALIAS(__open64, open);

int openat(int directory, const char *path, int flags, ...)
{
    mode_t mode = 0;
    if (needs_mode(flags)) {
        va_list more;
        va_start(more, flags);
        mode = (mode_t)va_arg(more, int);
        va_end(more);
    }
    return open_relative(directory, path, flags, mode);
}
ALIAS(openat64, openat);

// The fortified calls without a mode.
int __open_2(const char *path, int flags)
{
    return open_path(path, flags, 0);
}
ALIAS(__open64_2, __open_2);

int __openat_2(int directory, const char *path, int flags)
{
    return open_relative(directory, path, flags, 0);
}
ALIAS(__openat64_2, __openat_2);

int creat(const char *path, mode_t mode)
{
    return open_path(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
ALIAS(creat64, creat);

int close(int descriptor)
{
    return (int)__symcrete_result(__symcrete_close(descriptor));
}
ALIAS(__close, close);

ssize_t read(int descriptor, void *buffer, size_t count)
{
    return (ssize_t)__symcrete_result(__symcrete_read(descriptor, buffer, count));
}
ALIAS(__read, read);

ssize_t write(int descriptor, const void *buffer, size_t count)
{
    return (ssize_t)__symcrete_result(write_or_signal(descriptor, buffer, count));
}
ALIAS(__write, write);

off64_t lseek64(int descriptor, off64_t offset, int whence)
{
    return __symcrete_result(__symcrete_lseek(descriptor, offset, whence));
}

off_t lseek(int descriptor, off_t offset, int whence)
{
    long long answer = __symcrete_lseek(descriptor, offset, whence);
    return answer != (off_t)answer ? __symcrete_fail(EOVERFLOW) : (off_t)__symcrete_result(answer);
}
ALIAS(__lseek, lseek);

// Reads or writes at an offset and leaves the position as it was.
static ssize_t at_offset(int descriptor, void *in, const void *out, size_t count, long long offset)
{
    if (offset < 0)
        return __symcrete_fail(EINVAL);
    long long before = __symcrete_lseek(descriptor, 0, SEEK_CUR);
    long long moved = before < 0 ? before : __symcrete_lseek(descriptor, offset, SEEK_SET);
    if (moved < 0)
        return (ssize_t)__symcrete_result(moved);
    long answer = in != NULL ? __symcrete_read(descriptor, in, count) : write_or_signal(descriptor, out, count);
    __symcrete_lseek(descriptor, before, SEEK_SET);
    return (ssize_t)__symcrete_result(answer);
}

ssize_t __symcrete_read_at(int descriptor, void *buffer, size_t count, long long offset)
{
    return at_offset(descriptor, buffer, NULL, count, offset);
}

ssize_t pread64(int descriptor, void *buffer, size_t count, off64_t offset)
{
    return at_offset(descriptor, buffer, NULL, count, offset);
}

ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset)
{
    return at_offset(descriptor, buffer, NULL, count, offset);
}

ssize_t pwrite64(int descriptor, const void *buffer, size_t count, off64_t offset)
{
    return at_offset(descriptor, NULL, buffer, count, offset);
}

ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset)
{
    return at_offset(descriptor, NULL, buffer, count, offset);
}

// Piece by piece; an error after the first piece shows up as a short count.
ssize_t readv(int descriptor, const struct iovec *pieces, int count)
{
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        long answer = __symcrete_read(descriptor, pieces[i].iov_base, pieces[i].iov_len);
        if (answer < 0)
            return total > 0 ? total : (ssize_t)__symcrete_result(answer);
        total += answer;
        if ((size_t)answer < pieces[i].iov_len)
            break;
    }
    return total;
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count)
{
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        long answer = write_or_signal(descriptor, pieces[i].iov_base, pieces[i].iov_len);
        if (answer < 0)
            return total > 0 ? total : (ssize_t)__symcrete_result(answer);
        total += answer;
        if ((size_t)answer < pieces[i].iov_len)
            break;
    }
    return total;
}

static int remember_copy(int from, long copy)
{
    if (from >= 0 && from < REMEMBERED && copy >= 0 && copy < REMEMBERED)
        opened_with[copy] = opened_with[from];
    return (int)__symcrete_result(copy);
}

int dup(int descriptor)
{
    return remember_copy(descriptor, __symcrete_dup(descriptor));
}

int dup2(int descriptor, int to)
{
    return remember_copy(descriptor, __symcrete_dup2(descriptor, to));
}
ALIAS(__dup2, dup2);

int dup3(int descriptor, int to, int flags)
{
    (void)flags;
    if (descriptor == to)
        return __symcrete_fail(EINVAL);
    return remember_copy(descriptor, __symcrete_dup2(descriptor, to));
}

int ftruncate64(int descriptor, off64_t length)
{
    return (int)__symcrete_result(__symcrete_ftruncate(descriptor, length));
}

int ftruncate(int descriptor, off_t length)
{
    return (int)__symcrete_result(__symcrete_ftruncate(descriptor, length));
}

// 0, or -1 with EBADF.
static int check(int descriptor)
{
    struct symcrete_stat ignored;
    return (int)__symcrete_result(__symcrete_fstat(descriptor, &ignored));
}

static int duplicate_from(int descriptor, int least)
{
    struct symcrete_stat ignored;
    int free = least;
    while (__symcrete_fstat(free, &ignored) >= 0)
        free++;
    return remember_copy(descriptor, __symcrete_dup2(descriptor, free));
}

static int get_flags(int descriptor)
{
    return descriptor <= 2 || descriptor >= REMEMBERED ? O_RDWR : opened_with[descriptor];
}

static int set_flags(int descriptor, int flags)
{
    if (descriptor >= 0 && descriptor < REMEMBERED)
        opened_with[descriptor] = (opened_with[descriptor] & O_ACCMODE) | (flags & SHOWN_FLAGS & ~O_ACCMODE);
    return 0;
}

// Locks and owners are accepted without effect. The argument is read only where there is one.
int fcntl(int descriptor, int command, ...)
{
    if (check(descriptor) < 0)
        return -1;
    va_list more;
    va_start(more, command);
    int result = 0;
    switch (command) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        result = duplicate_from(descriptor, va_arg(more, int));
        break;
    case F_GETFL:
        result = get_flags(descriptor);
        break;
    case F_SETFL:
        result = set_flags(descriptor, va_arg(more, int));
        break;
    case F_GETLK:
#if F_GETLK64 != F_GETLK
    case F_GETLK64: // the type stands at the same place
#endif
        va_arg(more, struct flock *)->l_type = F_UNLCK;
        break;
    case F_GETFD:
    case F_SETFD:
    case F_SETLK:
    case F_SETLKW:
#if F_SETLK64 != F_SETLK
    case F_SETLK64:
    case F_SETLKW64:
#endif
        break;
    default:
        result = __symcrete_fail(EINVAL);
    }
    va_end(more);
    return result;
}
ALIAS(fcntl64, fcntl);
TIME64_ALIAS(__fcntl_time64, fcntl);
