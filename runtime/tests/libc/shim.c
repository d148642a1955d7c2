// Stands in for the engine and the runtime's stdio: the primitives of posix.h by the host's system calls, the engine's
// C functions by the host's, and messages caught in a buffer.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../libc/posix.h"
#include "differential.h"

static char messages[8192];
static size_t messages_length;
FILE *our_stderr, *our_stdout;

const char *captured_messages(void)
{
    static char copy[sizeof messages];
    memcpy(copy, messages, messages_length);
    copy[messages_length] = '\0';
    messages_length = 0;
    return copy;
}

static int keep(const char *text, size_t length)
{
    if (length > sizeof messages - 1 - messages_length)
        length = sizeof messages - 1 - messages_length;
    memcpy(messages + messages_length, text, length);
    messages_length += length;
    return (int)length;
}

int our_fputs(const char *text, FILE *stream);
int our_fputc(int c, FILE *stream);
int our_vfprintf(FILE *stream, const char *format, va_list arguments);
int our_fprintf(FILE *stream, const char *format, ...);
int our_snprintf(char *out, size_t size, const char *format, ...);
int our_sprintf(char *out, const char *format, ...);
int our_fflush(FILE *stream);

int our_fputs(const char *text, FILE *stream)
{
    (void)stream;
    return keep(text, strlen(text));
}

int our_fputc(int c, FILE *stream)
{
    (void)stream;
    char byte = (char)c;
    return keep(&byte, 1);
}

int our_vfprintf(FILE *stream, const char *format, va_list arguments)
{
    (void)stream;
    char text[1024];
    int length = vsnprintf(text, sizeof text, format, arguments);
    return keep(text, (size_t)length);
}

int our_fprintf(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = our_vfprintf(stream, format, arguments);
    va_end(arguments);
    return length;
}

int our_snprintf(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out, size, format, arguments);
    va_end(arguments);
    return length;
}

int our_sprintf(char *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsprintf(out, format, arguments);
    va_end(arguments);
    return length;
}

int our_fflush(FILE *stream)
{
    (void)stream;
    return 0;
}

// The engine's C functions.
void *our_malloc(size_t size);
void *our_calloc(size_t count, size_t size);
void *our_realloc(void *memory, size_t size);
void our_free(void *memory);
void *our_memcpy(void *to, const void *from, size_t count);
void *our_memmove(void *to, const void *from, size_t count);
void *our_memset(void *to, int byte, size_t count);

void *our_malloc(size_t size)
{
    return malloc(size);
}

void *our_calloc(size_t count, size_t size)
{
    return calloc(count, size);
}

void *our_realloc(void *memory, size_t size)
{
    return realloc(memory, size);
}

void our_free(void *memory)
{
    free(memory);
}

void *our_memcpy(void *to, const void *from, size_t count)
{
    return memcpy(to, from, count);
}

void *our_memmove(void *to, const void *from, size_t count)
{
    return memmove(to, from, count);
}

void *our_memset(void *to, int byte, size_t count)
{
    return memset(to, byte, count);
}

_Noreturn void our_longjmp(jmp_buf environment, int value);

_Noreturn void our_longjmp(jmp_buf environment, int value)
{
    longjmp(environment, value);
}

// The primitives of posix.h.
#define PRIMITIVE(name) our___symcrete_##name
#define ANSWER(type, call)                                                                                             \
    do {                                                                                                               \
        type result = (call);                                                                                          \
        return result < 0 ? -errno : result;                                                                           \
    } while (0)

extern __typeof(__symcrete_openat) PRIMITIVE(openat);
extern __typeof(__symcrete_close) PRIMITIVE(close);
extern __typeof(__symcrete_read) PRIMITIVE(read);
extern __typeof(__symcrete_write) PRIMITIVE(write);
extern __typeof(__symcrete_kernel_read) PRIMITIVE(kernel_read);
extern __typeof(__symcrete_kernel_write) PRIMITIVE(kernel_write);
extern __typeof(__symcrete_user_memory) PRIMITIVE(user_memory);
extern __typeof(__symcrete_lseek) PRIMITIVE(lseek);
extern __typeof(__symcrete_ftruncate) PRIMITIVE(ftruncate);
extern __typeof(__symcrete_isatty) PRIMITIVE(isatty);
extern __typeof(__symcrete_dup) PRIMITIVE(dup);
extern __typeof(__symcrete_dup2) PRIMITIVE(dup2);
extern __typeof(__symcrete_fcntl) PRIMITIVE(fcntl);
extern __typeof(__symcrete_statat) PRIMITIVE(statat);
extern __typeof(__symcrete_fstat) PRIMITIVE(fstat);
extern __typeof(__symcrete_accessat) PRIMITIVE(accessat);
extern __typeof(__symcrete_unlinkat) PRIMITIVE(unlinkat);
extern __typeof(__symcrete_mkdirat) PRIMITIVE(mkdirat);
extern __typeof(__symcrete_mknodat) PRIMITIVE(mknodat);
extern __typeof(__symcrete_linkat) PRIMITIVE(linkat);
extern __typeof(__symcrete_symlinkat) PRIMITIVE(symlinkat);
extern __typeof(__symcrete_readlinkat) PRIMITIVE(readlinkat);
extern __typeof(__symcrete_chmodat) PRIMITIVE(chmodat);
extern __typeof(__symcrete_fchmod) PRIMITIVE(fchmod);
extern __typeof(__symcrete_chownat) PRIMITIVE(chownat);
extern __typeof(__symcrete_fchown) PRIMITIVE(fchown);
extern __typeof(__symcrete_utimensat) PRIMITIVE(utimensat);
extern __typeof(__symcrete_futimens) PRIMITIVE(futimens);
extern __typeof(__symcrete_chdir) PRIMITIVE(chdir);
extern __typeof(__symcrete_fchdir) PRIMITIVE(fchdir);
extern __typeof(__symcrete_getcwd) PRIMITIVE(getcwd);
extern __typeof(__symcrete_readdir) PRIMITIVE(readdir);
extern __typeof(__symcrete_clock) PRIMITIVE(clock);
extern __typeof(__symcrete_getpid) PRIMITIVE(getpid);
extern __typeof(__symcrete_getuid) PRIMITIVE(getuid);
extern __typeof(__symcrete_getgid) PRIMITIVE(getgid);
extern __typeof(__symcrete_getgroup) PRIMITIVE(getgroup);
extern __typeof(__symcrete_aligned_alloc) PRIMITIVE(aligned_alloc);

long PRIMITIVE(openat)(int directory, const char *path, int flags, unsigned mode)
{
    ANSWER(long, openat(directory, path, flags, mode));
}

long PRIMITIVE(close)(int fd)
{
    ANSWER(long, close(fd));
}

long PRIMITIVE(read)(int fd, void *buffer, size_t count)
{
    ANSWER(long, read(fd, buffer, count));
}

long PRIMITIVE(write)(int fd, const void *buffer, size_t count)
{
    ANSWER(long, write(fd, buffer, count));
}

long PRIMITIVE(kernel_read)(int fd, void *buffer, size_t count)
{
    ANSWER(long, read(fd, buffer, count));
}

long PRIMITIVE(kernel_write)(int fd, const void *buffer, size_t count)
{
    ANSWER(long, write(fd, buffer, count));
}

long PRIMITIVE(user_memory)(const void *address, size_t size, int writes)
{
    (void)writes;
    return address == NULL && size > 0 ? -EFAULT : 0;
}

long long PRIMITIVE(lseek)(int fd, long long offset, int whence)
{
    ANSWER(long long, lseek(fd, offset, whence));
}

long PRIMITIVE(ftruncate)(int fd, long long length)
{
    ANSWER(long, ftruncate(fd, length));
}

long PRIMITIVE(isatty)(int fd)
{
    return isatty(fd) ? 1 : errno == ENOTTY ? 0 : -errno;
}

long PRIMITIVE(dup)(int fd)
{
    ANSWER(long, dup(fd));
}

long PRIMITIVE(dup2)(int fd, int to)
{
    ANSWER(long, dup2(fd, to));
}

long PRIMITIVE(fcntl)(int fd, int command, int argument)
{
    ANSWER(long, fcntl(fd, command, argument));
}

static long convert(int result, const struct stat *in, struct symcrete_stat *out)
{
    if (result < 0)
        return -errno;
    *out = (struct symcrete_stat){
        .device = in->st_dev,
        .inode = in->st_ino,
        .mode = in->st_mode,
        .links = in->st_nlink,
        .user = in->st_uid,
        .group = in->st_gid,
        .rdevice = in->st_rdev,
        .size = in->st_size,
        .block_size = in->st_blksize,
        .blocks = in->st_blocks,
        .access_seconds = in->st_atim.tv_sec,
        .access_nanoseconds = in->st_atim.tv_nsec,
        .modify_seconds = in->st_mtim.tv_sec,
        .modify_nanoseconds = in->st_mtim.tv_nsec,
        .change_seconds = in->st_ctim.tv_sec,
        .change_nanoseconds = in->st_ctim.tv_nsec,
    };
    return 0;
}

long PRIMITIVE(statat)(int directory, const char *path, int flags, struct symcrete_stat *out)
{
    struct stat status;
    return convert(fstatat(directory, path, &status, flags), &status, out);
}

long PRIMITIVE(fstat)(int fd, struct symcrete_stat *out)
{
    struct stat status;
    return convert(fstat(fd, &status), &status, out);
}

long PRIMITIVE(accessat)(int directory, const char *path, int mode)
{
    ANSWER(long, faccessat(directory, path, mode, 0));
}

long PRIMITIVE(unlinkat)(int directory, const char *path, int flags)
{
    ANSWER(long, unlinkat(directory, path, flags));
}

long PRIMITIVE(mkdirat)(int directory, const char *path, unsigned mode)
{
    ANSWER(long, mkdirat(directory, path, mode));
}

long PRIMITIVE(mknodat)(int directory, const char *path, unsigned mode)
{
    ANSWER(long, mknodat(directory, path, mode, 0));
}

long PRIMITIVE(linkat)(int from_directory, const char *from, int to_directory, const char *to, int flags)
{
    ANSWER(long, linkat(from_directory, from, to_directory, to, flags));
}

long PRIMITIVE(symlinkat)(const char *target, int directory, const char *path)
{
    ANSWER(long, symlinkat(target, directory, path));
}

long PRIMITIVE(readlinkat)(int directory, const char *path, char *buffer, size_t size)
{
    ANSWER(long, readlinkat(directory, path, buffer, size));
}

long PRIMITIVE(chmodat)(int directory, const char *path, unsigned mode)
{
    ANSWER(long, fchmodat(directory, path, mode, 0));
}

long PRIMITIVE(fchmod)(int fd, unsigned mode)
{
    ANSWER(long, fchmod(fd, mode));
}

long PRIMITIVE(chownat)(int directory, const char *path, unsigned user, unsigned group, int flags)
{
    ANSWER(long, fchownat(directory, path, user, group, flags));
}

long PRIMITIVE(fchown)(int fd, unsigned user, unsigned group)
{
    ANSWER(long, fchown(fd, user, group));
}

// What the engine's four words say, as the kernel takes it.
static const struct timespec *as_times(struct timespec out[2], const long long times[4])
{
    for (int i = 0; times != NULL && i < 2; i++)
        out[i] = (struct timespec){.tv_sec = (time_t)times[2 * i], .tv_nsec = (long)times[2 * i + 1]};
    return times == NULL ? NULL : out;
}

long PRIMITIVE(utimensat)(int directory, const char *path, const long long times[4], int flags)
{
    struct timespec both[2];
    ANSWER(long, utimensat(directory, path, as_times(both, times), flags));
}

long PRIMITIVE(futimens)(int fd, const long long times[4])
{
    struct timespec both[2];
    ANSWER(long, futimens(fd, as_times(both, times)));
}

long PRIMITIVE(chdir)(const char *path)
{
    ANSWER(long, chdir(path));
}

long PRIMITIVE(fchdir)(int fd)
{
    ANSWER(long, fchdir(fd));
}

long PRIMITIVE(getcwd)(char *buffer, size_t size)
{
    return getcwd(buffer, size) == NULL ? -errno : (long)strlen(buffer) + 1;
}

static int dots_first(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

long PRIMITIVE(readdir)(const char *path, size_t index, char *name, size_t size)
{
    struct dirent **list;
    int count = scandir(path, &list, NULL, dots_first);
    if (count < 0)
        return -errno;
    long answer = 0;
    if (index < (size_t)count) {
        snprintf(name, size, "%s", list[index]->d_name);
        answer = list[index]->d_type + 1;
    }
    for (int i = 0; i < count; i++)
        free(list[i]);
    free(list);
    return answer;
}

long PRIMITIVE(clock)(int clock, long long *seconds, long long *nanoseconds)
{
    struct timespec now;
    if (clock_gettime(clock, &now) < 0)
        return -errno;
    *seconds = now.tv_sec;
    *nanoseconds = now.tv_nsec;
    return 0;
}

long PRIMITIVE(getuid)(void)
{
    return getuid();
}

long PRIMITIVE(getgid)(void)
{
    return getgid();
}

long PRIMITIVE(getgroup)(size_t place)
{
    gid_t groups[256];
    int count = getgroups(256, groups);
    return (int)place < count ? (long)groups[place] : -EINVAL;
}

long PRIMITIVE(getpid)(void)
{
    return getpid();
}

void *PRIMITIVE(aligned_alloc)(size_t alignment, size_t size)
{
    void *memory;
    return posix_memalign(&memory, alignment, size) == 0 ? memory : NULL;
}

// The ends of a program come back to the test.
int ended_with;
void *run_to_end_frame[5];
static int flushes;
int shim_flushes(void);
void PRIMITIVE(flush_all)(void);
_Noreturn void PRIMITIVE(exit)(int status);
_Noreturn void PRIMITIVE(abort)(void);
_Noreturn void PRIMITIVE(killed)(int signal);
_Noreturn void PRIMITIVE(assertion_failed)(const char *expression, const char *file, unsigned line,
                                           const char *function);

void run_to_end_begin(void)
{
    ended_with = STILL_RUNNING;
    flushes = 0;
}

int shim_flushes(void)
{
    return flushes;
}

void PRIMITIVE(flush_all)(void)
{
    flushes++;
}

static _Noreturn void end(int how)
{
    ended_with = how;
    __builtin_longjmp(run_to_end_frame, 1);
}

_Noreturn void PRIMITIVE(exit)(int status)
{
    end(status);
}

extern __typeof(__symcrete_reaches_out) PRIMITIVE(reaches_out);

void PRIMITIVE(reaches_out)(const char *call)
{
    (void)call;
}

_Noreturn void PRIMITIVE(killed)(int signal)
{
    end(128 + signal);
}

_Noreturn void PRIMITIVE(abort)(void)
{
    end(ABORTED);
}

_Noreturn void PRIMITIVE(assertion_failed)(const char *expression, const char *file, unsigned line,
                                           const char *function)
{
    (void)expression;
    (void)file;
    (void)line;
    (void)function;
    end(ASSERTION_FAILED);
}
