// File descriptors: open, read, write, seek, duplicate, and what fcntl and ioctl can say about them.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
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

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
    return (int)__symcrete_result(__symcrete_openat(directory, path, flags, __symcrete_apply_umask(mode)));
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
    return open_at(AT_FDCWD, path, flags, mode);
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
    return open_at(directory, path, flags, mode);
}
ALIAS(openat64, openat);

// The fortified calls without a mode.
int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}
ALIAS(__open64_2, __open_2);

int __openat_2(int directory, const char *path, int flags)
{
    return open_at(directory, path, flags, 0);
}
ALIAS(__openat64_2, __openat_2);

int creat(const char *path, mode_t mode)
{
    return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}
ALIAS(creat64, creat);

int close(int descriptor)
{
    return (int)__symcrete_result(__symcrete_close(descriptor));
}
ALIAS(__close, close);

ssize_t read(int descriptor, void *buffer, size_t count)
{
    return (ssize_t)__symcrete_result(__symcrete_kernel_read(descriptor, buffer, count));
}
ALIAS(__read, read);

ssize_t write(int descriptor, const void *buffer, size_t count)
{
    return (ssize_t)__symcrete_result(kernel_write_or_signal(descriptor, buffer, count));
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

enum direction { READ, WRITE };

// One transfer of a system call.
static long transfer(int descriptor, enum direction direction, const void *memory, size_t count)
{
    return direction == READ ? __symcrete_kernel_read(descriptor, (void *)memory, count)
                             : kernel_write_or_signal(descriptor, memory, count);
}

// Reads or writes at an offset and leaves the position as it was.
static ssize_t at_offset(int descriptor, enum direction direction, const void *memory, size_t count, long long offset)
{
    if (offset < 0)
        return __symcrete_fail(EINVAL);
    long long before = __symcrete_lseek(descriptor, 0, SEEK_CUR);
    long long moved = before < 0 ? before : __symcrete_lseek(descriptor, offset, SEEK_SET);
    if (moved < 0)
        return (ssize_t)__symcrete_result(moved);
    long answer = transfer(descriptor, direction, memory, count);
    __symcrete_lseek(descriptor, before, SEEK_SET);
    return (ssize_t)__symcrete_result(answer);
}

ssize_t __symcrete_read_at(int descriptor, void *buffer, size_t count, long long offset)
{
    return at_offset(descriptor, READ, buffer, count, offset);
}

ssize_t pread64(int descriptor, void *buffer, size_t count, off64_t offset)
{
    return at_offset(descriptor, READ, buffer, count, offset);
}

ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset)
{
    return at_offset(descriptor, READ, buffer, count, offset);
}

ssize_t pwrite64(int descriptor, const void *buffer, size_t count, off64_t offset)
{
    return at_offset(descriptor, WRITE, buffer, count, offset);
}

ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset)
{
    return at_offset(descriptor, WRITE, buffer, count, offset);
}

// Piece by piece; an error after the first piece shows up as a short count.
static ssize_t in_pieces(int descriptor, enum direction direction, const struct iovec *pieces, int count)
{
    int flags = (int)__symcrete_fcntl(descriptor, F_GETFL, 0);
    if (flags < 0)
        return __symcrete_fail(-flags);
    if ((flags & O_ACCMODE) == (direction == READ ? O_WRONLY : O_RDONLY))
        return __symcrete_fail(EBADF);
    if (count < 0 || count > IOV_MAX)
        return __symcrete_fail(EINVAL);
    if (!__symcrete_is_there(pieces, (size_t)count * sizeof *pieces, 0))
        return -1;
    ssize_t total = 0;
    for (int i = 0; i < count; i++) {
        if ((ssize_t)pieces[i].iov_len < 0)
            return __symcrete_fail(EINVAL);
    }
    for (int i = 0; i < count; i++) {
        if (pieces[i].iov_len == 0)
            continue;
        long answer = transfer(descriptor, direction, pieces[i].iov_base, pieces[i].iov_len);
        if (answer < 0)
            return total > 0 ? total : (ssize_t)__symcrete_result(answer);
        total += answer;
        if ((size_t)answer < pieces[i].iov_len)
            break;
    }
    return total;
}

ssize_t readv(int descriptor, const struct iovec *pieces, int count)
{
    return in_pieces(descriptor, READ, pieces, count);
}

ssize_t writev(int descriptor, const struct iovec *pieces, int count)
{
    return in_pieces(descriptor, WRITE, pieces, count);
}

int dup(int descriptor)
{
    return (int)__symcrete_result(__symcrete_dup(descriptor));
}

int dup2(int descriptor, int to)
{
    return (int)__symcrete_result(__symcrete_dup2(descriptor, to));
}
ALIAS(__dup2, dup2);

int dup3(int descriptor, int to, int flags)
{
    if (descriptor == to || (flags & ~O_CLOEXEC) != 0)
        return __symcrete_fail(EINVAL);
    long answer = __symcrete_dup2(descriptor, to);
    if (answer >= 0 && (flags & O_CLOEXEC))
        __symcrete_fcntl(to, F_SETFD, FD_CLOEXEC);
    return (int)__symcrete_result(answer);
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

static int tell_unlocked(struct flock *lock)
{
    if (!__symcrete_is_there(lock, sizeof *lock, 1))
        return -1;
    lock->l_type = F_UNLCK;
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
    case F_SETFD:
    case F_SETFL:
        result = (int)__symcrete_result(__symcrete_fcntl(descriptor, command, va_arg(more, int)));
        break;
    case F_GETFD:
    case F_GETFL:
        result = (int)__symcrete_result(__symcrete_fcntl(descriptor, command, 0));
        break;
    case F_GETLK:
#if F_GETLK64 != F_GETLK
    case F_GETLK64: // the type stands at the same place
#endif
        result = tell_unlocked(va_arg(more, struct flock *));
        break;
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
