// The engine's primitives, as far as stdio uses them, by system calls: what lets the runtime's stdio run natively.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../libc/posix.h"

static long result(long answer)
{
    return answer < 0 ? -errno : answer;
}

long __symcrete_openat(int directory, const char *path, int flags, unsigned mode)
{
    return result(openat(directory, path, flags, mode));
}

long __symcrete_close(int fd)
{
    return result(close(fd));
}

long __symcrete_read(int fd, void *buffer, size_t count)
{
    return result(read(fd, buffer, count));
}

long __symcrete_write(int fd, const void *buffer, size_t count)
{
    return result(write(fd, buffer, count));
}

long long __symcrete_lseek(int fd, long long offset, int whence)
{
    return result(lseek(fd, offset, whence));
}

long __symcrete_isatty(int fd)
{
    return isatty(fd);
}

long __symcrete_dup2(int fd, int to)
{
    return result(dup2(fd, to));
}

long __symcrete_fstat(int fd, struct symcrete_stat *out)
{
    struct stat status;
    if (fstat(fd, &status) < 0) {
        return -errno;
    }
    *out = (struct symcrete_stat){.mode = status.st_mode, .size = status.st_size, .block_size = status.st_blksize};
    return 0;
}

long __symcrete_accessat(int directory, const char *path, int mode)
{
    return result(faccessat(directory, path, mode, 0));
}

long __symcrete_unlinkat(int directory, const char *path, int flags)
{
    return result(unlinkat(directory, path, flags));
}

long __symcrete_mkdirat(int directory, const char *path, unsigned mode)
{
    return result(mkdirat(directory, path, mode));
}

long __symcrete_renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    return result(syscall(SYS_renameat, from_directory, from, to_directory, to));
}

void __symcrete_reaches_out(const char *call)
{
    (void)call;
}

long __symcrete_getpid(void)
{
    return getpid();
}
