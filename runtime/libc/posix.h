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

long __symcrete_open(const char *path, int flags, unsigned mode);
long __symcrete_close(int fd);
long __symcrete_read(int fd, void *buffer, size_t count);
long __symcrete_write(int fd, const void *buffer, size_t count);
long long __symcrete_lseek(int fd, long long offset, int whence);
long __symcrete_ftruncate(int fd, long long length);
long __symcrete_isatty(int fd); // 1, 0 or a negative errno
long __symcrete_dup(int fd);
long __symcrete_dup2(int fd, int to);
long __symcrete_stat(const char *path, struct symcrete_stat *out);
long __symcrete_lstat(const char *path, struct symcrete_stat *out);
long __symcrete_fstat(int fd, struct symcrete_stat *out);
long __symcrete_access(const char *path, int mode);
long __symcrete_unlink(const char *path);
long __symcrete_rename(const char *from, const char *to);
long __symcrete_mkdir(const char *path, unsigned mode);
long __symcrete_rmdir(const char *path);
long __symcrete_chdir(const char *path);
long __symcrete_getcwd(char *buffer, size_t size); // length including the NUL, or a negative errno
// One directory entry a call: copies the name of entry `index` (in sorted order, "." and ".." first) into `name`; returns its
// d_type plus 1, 0 past the last entry, or a negative errno.
long __symcrete_readdir(const char *path, size_t index, char *name, size_t size);
// Clocks are reproducible: CLOCK_REALTIME starts at a fixed date chosen by the seed, and both advance by executed instructions.
long __symcrete_clock(int clock, long long *seconds, long long *nanoseconds);
long __symcrete_getpid(void);
void *__symcrete_aligned_alloc(size_t alignment, size_t size);
_Noreturn void __symcrete_exit(int status);          // ends the program at once: no handlers, no flushing
_Noreturn void __symcrete_abort(void);               // ends the program as SIGABRT would
_Noreturn void __symcrete_assertion_failed(const char *expression, const char *file, unsigned line, const char *function);

// Implemented by the engine under their C names, and not to be defined here: malloc, calloc, realloc, free, malloc_usable_size,
// memcpy, memmove, memset, setjmp, _setjmp, sigsetjmp, __sigsetjmp, longjmp, siglongjmp, and all of <math.h>. The functions
// of <complex.h> are called on parts, as __symcrete_cexp and so on, by complex/functions.c alone.

#endif
