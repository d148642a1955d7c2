// Names in the file system: deleting, linking, making directories, permissions, the working directory. Times are in times.c.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

int unlinkat(int directory, const char *path, int flags)
{
    return (int)__symcrete_result(__symcrete_unlinkat(directory, path, flags));
}

int mkdirat(int directory, const char *path, mode_t mode)
{
    return (int)__symcrete_result(__symcrete_mkdirat(directory, path, __symcrete_apply_umask(mode)));
}

int faccessat(int directory, const char *path, int mode, int flags)
{
    if ((flags & ~(AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0)
        return __symcrete_fail(EINVAL);
    return (int)__symcrete_result(__symcrete_accessat(directory, path, mode));
}

int fchdir(int descriptor)
{
    return (int)__symcrete_result(__symcrete_fchdir(descriptor));
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
    if (length < 0)
        return __symcrete_fail(EINVAL);
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

int chmod(const char *path, mode_t mode)
{
    return (int)__symcrete_result(__symcrete_chmodat(AT_FDCWD, path, mode));
}

int fchmod(int descriptor, mode_t mode)
{
    return (int)__symcrete_result(__symcrete_fchmod(descriptor, mode));
}

// Links have no permissions of their own.
int fchmodat(int directory, const char *path, mode_t mode, int flags)
{
    if ((flags & ~AT_SYMLINK_NOFOLLOW) != 0)
        return __symcrete_fail(EINVAL);
    struct symcrete_stat status;
    long answer = flags != 0 ? __symcrete_statat(directory, path, flags, &status) : 0;
    if (answer < 0)
        return (int)__symcrete_result(answer);
    if (flags != 0 && S_ISLNK(status.mode))
        return __symcrete_fail(EOPNOTSUPP);
    return (int)__symcrete_result(__symcrete_chmodat(directory, path, mode));
}

int chown(const char *path, uid_t owner, gid_t group)
{
    return (int)__symcrete_result(__symcrete_chownat(AT_FDCWD, path, owner, group, 0));
}

int lchown(const char *path, uid_t owner, gid_t group)
{
    return (int)__symcrete_result(__symcrete_chownat(AT_FDCWD, path, owner, group, AT_SYMLINK_NOFOLLOW));
}

int fchownat(int directory, const char *path, uid_t owner, gid_t group, int flags)
{
    if ((flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)) != 0)
        return __symcrete_fail(EINVAL);
    if ((flags & AT_EMPTY_PATH) && directory != AT_FDCWD && __symcrete_is_there(path, 1, 0) && *path == '\0')
        return (int)__symcrete_result(__symcrete_fchown(directory, owner, group));
    return (int)__symcrete_result(__symcrete_chownat(directory, path, owner, group, flags));
}

int fchown(int descriptor, uid_t owner, gid_t group)
{
    return (int)__symcrete_result(__symcrete_fchown(descriptor, owner, group));
}

int link(const char *from, const char *to)
{
    return (int)__symcrete_result(__symcrete_linkat(AT_FDCWD, from, AT_FDCWD, to, 0));
}

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
    return (int)__symcrete_result(__symcrete_linkat(from_directory, from, to_directory, to, flags));
}

int symlink(const char *target, const char *path)
{
    return (int)__symcrete_result(__symcrete_symlinkat(target, AT_FDCWD, path));
}

int symlinkat(const char *target, int directory, const char *path)
{
    return (int)__symcrete_result(__symcrete_symlinkat(target, directory, path));
}

ssize_t readlink(const char *restrict path, char *restrict buffer, size_t size)
{
    return (ssize_t)__symcrete_result(__symcrete_readlinkat(AT_FDCWD, path, buffer, size));
}

ssize_t readlinkat(int directory, const char *restrict path, char *restrict buffer, size_t size)
{
    return (ssize_t)__symcrete_result(__symcrete_readlinkat(directory, path, buffer, size));
}

ssize_t __readlink_chk(const char *path, char *buffer, size_t count, size_t size);

ssize_t __readlink_chk(const char *path, char *buffer, size_t count, size_t size)
{
    if (count > size)
        __chk_fail();
    return (ssize_t)__symcrete_result(__symcrete_readlinkat(AT_FDCWD, path, buffer, count));
}

ssize_t __readlinkat_chk(int directory, const char *path, char *buffer, size_t count, size_t size);

ssize_t __readlinkat_chk(int directory, const char *path, char *buffer, size_t count, size_t size)
{
    if (count > size)
        __chk_fail();
    return (ssize_t)__symcrete_result(__symcrete_readlinkat(directory, path, buffer, count));
}

// Pipes with a name, sockets and files can be made, devices cannot.
int mknodat(int directory, const char *path, mode_t mode, dev_t device)
{
    (void)device;
    mode_t permissions = __symcrete_apply_umask(mode & 07777);
    return (int)__symcrete_result(__symcrete_mknodat(directory, path, (mode & S_IFMT) | permissions));
}

int mknod(const char *path, mode_t mode, dev_t device)
{
    (void)device;
    mode_t permissions = __symcrete_apply_umask(mode & 07777);
    return (int)__symcrete_result(__symcrete_mknodat(AT_FDCWD, path, (mode & S_IFMT) | permissions));
}

int mkfifoat(int directory, const char *path, mode_t mode)
{
    mode_t permissions = __symcrete_apply_umask(mode & 07777);
    return (int)__symcrete_result(__symcrete_mknodat(directory, path, S_IFIFO | permissions));
}

int mkfifo(const char *path, mode_t mode)
{
    mode_t permissions = __symcrete_apply_umask(mode & 07777);
    return (int)__symcrete_result(__symcrete_mknodat(AT_FDCWD, path, S_IFIFO | permissions));
}
