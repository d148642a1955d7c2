// Names in the file system: deleting, making directories, permissions, the working directory.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "../internal.h"

mode_t __symcrete_apply_umask(mode_t mode);
_Noreturn void __chk_fail(void);

int unlink(const char *path)
{
    return (int)__symcrete_result(__symcrete_unlink(path));
}

int rmdir(const char *path)
{
    return (int)__symcrete_result(__symcrete_rmdir(path));
}

int mkdir(const char *path, mode_t mode)
{
    return (int)__symcrete_result(__symcrete_mkdir(path, __symcrete_apply_umask(mode)));
}

int chdir(const char *path)
{
    return (int)__symcrete_result(__symcrete_chdir(path));
}

int access(const char *path, int mode)
{
    return (int)__symcrete_result(__symcrete_access(path, mode));
}
ALIAS(eaccess, access);
ALIAS(euidaccess, access);

// The functions with a directory's descriptor work for the current directory and for absolute paths.
static int is_plain(int directory, const char *path)
{
    return directory == AT_FDCWD || *path == '/';
}

int unlinkat(int directory, const char *path, int flags)
{
    if (!is_plain(directory, path))
        return __symcrete_fail(ENOSYS);
    return (int)__symcrete_result(flags & AT_REMOVEDIR ? __symcrete_rmdir(path) : __symcrete_unlink(path));
}

int mkdirat(int directory, const char *path, mode_t mode)
{
    if (!is_plain(directory, path))
        return __symcrete_fail(ENOSYS);
    return (int)__symcrete_result(__symcrete_mkdir(path, __symcrete_apply_umask(mode)));
}

int faccessat(int directory, const char *path, int mode, int flags)
{
    (void)flags;
    return is_plain(directory, path) ? (int)__symcrete_result(__symcrete_access(path, mode)) : __symcrete_fail(ENOSYS);
}

int fchdir(int descriptor)
{
    (void)descriptor;
    return __symcrete_fail(ENOSYS);
}

char *__symcrete_getcwd_function(char *buffer, size_t size)
{
    char own[PATH_MAX];
    if (buffer != NULL && size == 0) {
        errno = EINVAL;
        return NULL;
    }
    if (buffer != NULL)
        return __symcrete_result(__symcrete_getcwd(buffer, size)) < 0 ? NULL : buffer;
    long used = __symcrete_getcwd(own, sizeof own);
    if (__symcrete_result(used) < 0)
        return NULL;
    if (size != 0 && (size_t)used > size) {
        errno = ERANGE;
        return NULL;
    }
    buffer = malloc(size != 0 ? size : (size_t)used);
    return buffer == NULL ? NULL : memcpy(buffer, own, (size_t)used);
}
ALIAS(getcwd, __symcrete_getcwd_function);

char *getwd(char *buffer)
{
    return __symcrete_getcwd_function(buffer, PATH_MAX);
}

char *get_current_dir_name(void)
{
    return __symcrete_getcwd_function(NULL, 0);
}

static int truncate_to(const char *path, long long length)
{
    long descriptor = __symcrete_open(path, O_WRONLY, 0);
    if (descriptor < 0)
        return (int)__symcrete_result(descriptor);
    long answer = __symcrete_ftruncate((int)descriptor, length);
    __symcrete_close((int)descriptor);
    return (int)__symcrete_result(answer);
}

int truncate(const char *path, off_t length)
{
    return truncate_to(path, length);
}

int truncate64(const char *path, off64_t length)
{
    return truncate_to(path, length);
}

// Permissions, owners and times of files that exist are accepted without effect: copying programs set them and take a
// refusal for an error.
static int exists(const char *path)
{
    struct symcrete_stat ignored;
    return (int)__symcrete_result(__symcrete_stat(path, &ignored));
}

static int is_open(int descriptor)
{
    struct symcrete_stat ignored;
    return (int)__symcrete_result(__symcrete_fstat(descriptor, &ignored));
}

int chmod(const char *path, mode_t mode)
{
    (void)mode;
    return exists(path);
}

int fchmod(int descriptor, mode_t mode)
{
    (void)mode;
    return is_open(descriptor);
}

int fchmodat(int directory, const char *path, mode_t mode, int flags)
{
    (void)mode;
    (void)flags;
    return is_plain(directory, path) ? exists(path) : __symcrete_fail(ENOSYS);
}

int chown(const char *path, uid_t owner, gid_t group)
{
    (void)owner;
    (void)group;
    return exists(path);
}
ALIAS(lchown, chown);

int fchown(int descriptor, uid_t owner, gid_t group)
{
    (void)owner;
    (void)group;
    return is_open(descriptor);
}

int utime(const char *path, const struct utimbuf *times)
{
    (void)times;
    return exists(path);
}
TIME64_ALIAS(__utime64, utime);

int utimes(const char *path, const struct timeval times[2])
{
    (void)times;
    return exists(path);
}
TIME64_ALIAS(__utimes64, utimes);

int futimens(int descriptor, const struct timespec times[2])
{
    (void)times;
    return is_open(descriptor);
}
TIME64_ALIAS(__futimens64, futimens);

int utimensat(int directory, const char *path, const struct timespec times[2], int flags)
{
    (void)times;
    (void)flags;
    return is_plain(directory, path) ? exists(path) : __symcrete_fail(ENOSYS);
}
TIME64_ALIAS(__utimensat64, utimensat);

// Links cannot be made or read.
int link(const char *from, const char *to)
{
    (void)from;
    (void)to;
    return __symcrete_fail(EPERM);
}

int symlink(const char *target, const char *path)
{
    (void)target;
    (void)path;
    return __symcrete_fail(EPERM);
}

static ssize_t refuse_to_read_link(const char *path)
{
    struct symcrete_stat status;
    long answer = __symcrete_lstat(path, &status);
    if (answer < 0)
        return (ssize_t)__symcrete_result(answer);
    return __symcrete_fail((status.mode & S_IFMT) == S_IFLNK ? ENOSYS : EINVAL);
}

ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size)
{
    (void)buffer;
    (void)size;
    return refuse_to_read_link(path);
}

ssize_t readlinkat(int directory, const char *restrict path, char *restrict buffer, size_t size)
{
    (void)buffer;
    (void)size;
    return is_plain(directory, path) ? refuse_to_read_link(path) : __symcrete_fail(ENOSYS);
}

ssize_t __readlink_chk(const char *path, char *buffer, size_t count, size_t size);

ssize_t __readlink_chk(const char *path, char *buffer, size_t count, size_t size)
{
    (void)buffer;
    if (count > size)
        __chk_fail();
    return refuse_to_read_link(path);
}

int mkfifo(const char *path, mode_t mode)
{
    (void)path;
    (void)mode;
    return __symcrete_fail(EPERM);
}

int mknod(const char *path, mode_t mode, dev_t device)
{
    (void)path;
    (void)mode;
    (void)device;
    return __symcrete_fail(EPERM);
}
