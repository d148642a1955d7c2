// What can be asked of an open descriptor beyond reading and writing: terminals, locks, synchronisation, room.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "../internal.h"

// 0, or -1 with EBADF.
static int check(int descriptor)
{
    struct symcrete_stat ignored;
    return (int)__symcrete_result(__symcrete_fstat(descriptor, &ignored));
}

int isatty(int descriptor)
{
    long answer = __symcrete_isatty(descriptor);
    if (answer == 0)
        errno = ENOTTY;
    return answer < 0 ? (__symcrete_result(answer), 0) : (int)answer;
}

// No device understands a request.
int ioctl(int descriptor, unsigned long request, ...)
{
    (void)request;
    return check(descriptor) < 0 ? -1 : __symcrete_fail(ENOTTY);
}

int tcgetattr(int descriptor, struct termios *out)
{
    (void)out;
    return check(descriptor) < 0 ? -1 : __symcrete_fail(ENOTTY);
}

int tcsetattr(int descriptor, int when, const struct termios *settings)
{
    (void)when;
    (void)settings;
    return check(descriptor) < 0 ? -1 : __symcrete_fail(ENOTTY);
}

// Everything is written already.
int fsync(int descriptor)
{
    return check(descriptor);
}

int fdatasync(int descriptor)
{
    return check(descriptor);
}

void sync(void)
{
}

int lockf(int descriptor, int command, off_t length)
{
    (void)command;
    (void)length;
    return check(descriptor);
}

int lockf64(int descriptor, int command, off64_t length)
{
    (void)command;
    (void)length;
    return check(descriptor);
}

int flock(int descriptor, int operation)
{
    (void)operation;
    return check(descriptor);
}

int posix_fadvise(int descriptor, off_t offset, off_t length, int advice)
{
    (void)offset;
    (void)length;
    (void)advice;
    return check(descriptor) < 0 ? EBADF : 0;
}

int posix_fadvise64(int descriptor, off64_t offset, off64_t length, int advice)
{
    (void)offset;
    (void)length;
    (void)advice;
    return check(descriptor) < 0 ? EBADF : 0;
}

int pipe(int descriptors[2])
{
    return __symcrete_is_there(descriptors, 2 * sizeof *descriptors, 1) ? __symcrete_fail(ENOSYS) : -1;
}

int pipe2(int descriptors[2], int flags)
{
    (void)flags;
    return __symcrete_is_there(descriptors, 2 * sizeof *descriptors, 1) ? __symcrete_fail(ENOSYS) : -1;
}

char *ttyname(int descriptor)
{
    if (check(descriptor) == 0)
        errno = ENOTTY;
    return NULL;
}

int ttyname_r(int descriptor, char *buffer, size_t size)
{
    (void)buffer;
    (void)size;
    return check(descriptor) < 0 ? EBADF : ENOTTY;
}

// Returns an errno, as its name with posix_ says.
static int make_room(int descriptor, long long offset, long long length)
{
    struct symcrete_stat status;
    long answer = __symcrete_fstat(descriptor, &status);
    if (answer < 0)
        return (int)-answer;
    if (offset < 0 || length <= 0)
        return EINVAL;
    if (status.size >= offset + length)
        return 0;
    return (int)-__symcrete_ftruncate(descriptor, offset + length);
}

int posix_fallocate(int descriptor, off_t offset, off_t length)
{
    return make_room(descriptor, offset, length);
}

int posix_fallocate64(int descriptor, off64_t offset, off64_t length)
{
    return make_room(descriptor, offset, length);
}
