// What the C runtime asks of the engine. Every function here is implemented by the executor's POSIX layer, not in C.
// Calls that can fail return a negative errno, as Linux system calls do; nothing here sets errno.
#ifndef SYMCRETE_POSIX_H
#define SYMCRETE_POSIX_H

#include <stddef.h>

// The part of struct stat that the runtime fills in from the engine's answer.
struct symcrete_stat {
    unsigned long long device, inode, mode, links, user, group, rdevice;
    long long size, block_size, blocks;
    long long access_seconds, access_nanoseconds;
    long long modify_seconds, modify_nanoseconds;
    long long change_seconds, change_nanoseconds;
};

// The functions that end in "at" take an open directory, or SYMCRETE_HERE, at which relative paths begin. Pointers to nothing
// make them fail with EFAULT.
enum { SYMCRETE_HERE = -100, SYMCRETE_NO_FOLLOW = 0x100, SYMCRETE_REMOVE_DIRECTORY = 0x200 };

long __symcrete_openat(int directory, const char *path, int flags, unsigned mode);
long __symcrete_close(int fd);
// For system calls: EFAULT where there is no memory.
long __symcrete_kernel_read(int fd, void *buffer, size_t count);
long __symcrete_kernel_write(int fd, const void *buffer, size_t count);
// For library functions: a mistake of the program where there is no memory.
long __symcrete_read(int fd, void *buffer, size_t count);
long __symcrete_write(int fd, const void *buffer, size_t count);
// 0, or -EFAULT where the kernel could not read, or write, so many bytes.
long __symcrete_user_memory(const void *address, size_t size, int writes);
long long __symcrete_lseek(int fd, long long offset, int whence);
long __symcrete_ftruncate(int fd, long long length);
long __symcrete_isatty(int fd); // 1, 0 or a negative errno
long __symcrete_dup(int fd);
long __symcrete_dup2(int fd, int to);
long __symcrete_fcntl(int fd, int command, int argument); // what is about descriptors and their flags
long __symcrete_statat(int directory, const char *path, int flags, struct symcrete_stat *out);
long __symcrete_fstat(int fd, struct symcrete_stat *out);
long __symcrete_accessat(int directory, const char *path, int mode);
long __symcrete_unlinkat(int directory, const char *path, int flags);
long __symcrete_renameat(int from_directory, const char *from, int to_directory, const char *to);
long __symcrete_mkdirat(int directory, const char *path, unsigned mode);
long __symcrete_mknodat(int directory, const char *path, unsigned mode); // files, pipes and sockets
long __symcrete_linkat(int from_directory, const char *from, int to_directory, const char *to, int flags);
long __symcrete_symlinkat(const char *target, int directory, const char *path);
long __symcrete_readlinkat(int directory, const char *path, char *buffer, size_t size);
long __symcrete_chmodat(int directory, const char *path, unsigned mode);
long __symcrete_fchmod(int fd, unsigned mode);
long __symcrete_chownat(int directory, const char *path, unsigned user, unsigned group, int flags);
long __symcrete_fchown(int fd, unsigned user, unsigned group);
// Seconds and nanoseconds of the last access and the last change; a null pointer means now.
long __symcrete_utimensat(int directory, const char *path, const long long times[4], int flags);
long __symcrete_futimens(int fd, const long long times[4]);
long __symcrete_chdir(const char *path);
long __symcrete_fchdir(int fd);
long __symcrete_getcwd(char *buffer, size_t size); // length including the NUL, or a negative errno
// One directory entry a call: copies the name of entry `index` (in sorted order, "." and ".." first) into `name`; returns its
// d_type plus 1, 0 past the last entry, or a negative errno.
long __symcrete_readdir(const char *path, size_t index, char *name, size_t size);
// Clocks are reproducible: CLOCK_REALTIME starts at a fixed date chosen by the seed, and both advance by executed instructions.
long __symcrete_clock(int clock, long long *seconds, long long *nanoseconds);
long __symcrete_getpid(void);
// To be called by what natively reaches other processes, with its name: such tests do not run outside of the sandbox.
void __symcrete_reaches_out(const char *call);
long __symcrete_getuid(void);
long __symcrete_getgid(void);
long __symcrete_getgroup(size_t place); // a supplementary group, or -EINVAL
void *__symcrete_aligned_alloc(size_t alignment, size_t size);
_Noreturn void __symcrete_exit(int status);          // ends the program at once: no handlers, no flushing
_Noreturn void __symcrete_abort(void);               // ends the program as SIGABRT would
_Noreturn void __symcrete_killed(int signal);        // ends the program as another signal without a handler would
_Noreturn void __symcrete_assertion_failed(const char *expression, const char *file, unsigned line, const char *function);

static inline long __symcrete_open(const char *path, int flags, unsigned mode)
{
    return __symcrete_openat(SYMCRETE_HERE, path, flags, mode);
}

static inline long __symcrete_stat(const char *path, struct symcrete_stat *out)
{
    return __symcrete_statat(SYMCRETE_HERE, path, 0, out);
}

static inline long __symcrete_lstat(const char *path, struct symcrete_stat *out)
{
    return __symcrete_statat(SYMCRETE_HERE, path, SYMCRETE_NO_FOLLOW, out);
}

static inline long __symcrete_access(const char *path, int mode)
{
    return __symcrete_accessat(SYMCRETE_HERE, path, mode);
}

static inline long __symcrete_unlink(const char *path)
{
    return __symcrete_unlinkat(SYMCRETE_HERE, path, 0);
}

static inline long __symcrete_rmdir(const char *path)
{
    return __symcrete_unlinkat(SYMCRETE_HERE, path, SYMCRETE_REMOVE_DIRECTORY);
}

static inline long __symcrete_rename(const char *from, const char *to)
{
    return __symcrete_renameat(SYMCRETE_HERE, from, SYMCRETE_HERE, to);
}

static inline long __symcrete_mkdir(const char *path, unsigned mode)
{
    return __symcrete_mkdirat(SYMCRETE_HERE, path, mode);
}

// Implemented by the engine under their C names, and not to be defined here: malloc, calloc, realloc, free, malloc_usable_size,
// memcpy, memmove, memset, setjmp, _setjmp, sigsetjmp, __sigsetjmp, longjmp, siglongjmp, and all of <math.h>. The functions
// of <complex.h> are called on parts, as __symcrete_cexp and so on, by complex/functions.c alone.

#endif
