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

long __symcrete_open(const char *path, int flags, unsigned mode)
{
    return result(open(path, flags, mode));
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

long __symcrete_access(const char *path, int mode)
{
    return result(access(path, mode));
}

long __symcrete_unlink(const char *path)
{
    return result(unlink(path));
}

long __symcrete_rmdir(const char *path)
{
    return result(rmdir(path));
}

long __symcrete_mkdir(const char *path, unsigned mode)
{
    return result(mkdir(path, mode));
}

long __symcrete_rename(const char *from, const char *to)
{
    return result(syscall(SYS_rename, from, to));
}

long __symcrete_getpid(void)
{
    return getpid();
}
