// The machine as the program sees it: limits, names, randomness, readiness of descriptors.
#define _GNU_SOURCE
#include <gnu/libc-version.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "../internal.h"

enum { PAGE = 4096, OPEN_FILES = 1024 };

long sysconf(int name)
{
    switch (name) {
    case _SC_PAGESIZE:
        return PAGE;
    case _SC_CLK_TCK:
        return 100;
    case _SC_OPEN_MAX:
        return OPEN_FILES;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
        return 1;
    case _SC_PHYS_PAGES:
    case _SC_AVPHYS_PAGES:
        return 1 << 20;
    case _SC_ARG_MAX:
        return 2097152;
    case _SC_CHILD_MAX:
        return 1;
    case _SC_HOST_NAME_MAX:
        return 64;
    case _SC_IOV_MAX:
        return 1024;
    case _SC_LINE_MAX:
        return 2048;
    case _SC_LOGIN_NAME_MAX:
    case _SC_TTY_NAME_MAX:
        return 256;
    case _SC_GETPW_R_SIZE_MAX:
    case _SC_GETGR_R_SIZE_MAX:
        return 1024;
    case _SC_VERSION:
    case _SC_2_VERSION:
        return 200809;
    case _SC_MONOTONIC_CLOCK:
    case _SC_FSYNC:
    case _SC_MAPPED_FILES:
        return 200809;
    default:
        return __symcrete_fail(EINVAL);
    }
}

static long path_limit(int name)
{
    switch (name) {
    case _PC_NAME_MAX:
        return NAME_MAX;
    case _PC_PATH_MAX:
        return PATH_MAX;
    case _PC_PIPE_BUF:
        return PIPE_BUF;
    case _PC_LINK_MAX:
        return 127;
    case _PC_NO_TRUNC:
    case _PC_CHOWN_RESTRICTED:
        return 1;
    default:
        return __symcrete_fail(EINVAL);
    }
}

long pathconf(const char *path, int name)
{
    (void)path;
    return path_limit(name);
}

long fpathconf(int descriptor, int name)
{
    (void)descriptor;
    return path_limit(name);
}

size_t confstr(int name, char *buffer, size_t size)
{
    const char *text = name == _CS_PATH ? "/bin:/usr/bin" : name == _CS_GNU_LIBC_VERSION ? "glibc 2.36" : NULL;
    if (text == NULL) {
        errno = EINVAL;
        return 0;
    }
    size_t needed = strlen(text) + 1;
    if (size != 0) {
        size_t copied = needed <= size ? needed - 1 : size - 1;
        memcpy(buffer, text, copied);
        buffer[copied] = '\0';
    }
    return needed;
}

int getpagesize(void)
{
    return PAGE;
}

int getdtablesize(void)
{
    return OPEN_FILES;
}

const char *gnu_get_libc_version(void)
{
    return "2.36";
}

unsigned long getauxval(unsigned long type)
{
    if (type == 6) // AT_PAGESZ
        return PAGE;
    errno = ENOENT;
    return 0;
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *out)
{
    if ((uintptr_t)out == 0)
        return 0;
    if (!__symcrete_is_there(out, sizeof *out, 1))
        return -1;
    rlim_t limit = resource == RLIMIT_STACK ? 8 << 20 : resource == RLIMIT_NOFILE ? OPEN_FILES : RLIM_INFINITY;
    *out = (struct rlimit){limit, limit == OPEN_FILES ? limit : RLIM_INFINITY};
    return 0;
}

int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *out)
{
    if ((uintptr_t)out == 0)
        return 0;
    if (!__symcrete_is_there(out, sizeof *out, 1))
        return -1;
    rlim64_t limit = resource == RLIMIT_STACK ? 8 << 20 : resource == RLIMIT_NOFILE ? OPEN_FILES : RLIM64_INFINITY;
    *out = (struct rlimit64){limit, limit == OPEN_FILES ? limit : RLIM64_INFINITY};
    return 0;
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    (void)resource;
    return (uintptr_t)limit == 0 || __symcrete_is_there(limit, sizeof *limit, 0) ? 0 : -1;
}

int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit)
{
    (void)resource;
    return (uintptr_t)limit == 0 || __symcrete_is_there(limit, sizeof *limit, 0) ? 0 : -1;
}

int getpriority(__priority_which_t which, id_t who)
{
    (void)which;
    (void)who;
    return 0;
}

int setpriority(__priority_which_t which, id_t who, int priority)
{
    (void)which;
    (void)who;
    (void)priority;
    return 0;
}

int gethostname(char *name, size_t size)
{
    static const char own[] = "localhost";
    if (size < sizeof own)
        return __symcrete_fail(ENAMETOOLONG);
    memcpy(name, own, sizeof own);
    return 0;
}

int uname(struct utsname *out)
{
    if (!__symcrete_is_there(out, sizeof *out, 1))
        return -1;
    memset(out, 0, sizeof *out);
    strcpy(out->sysname, "Linux");
    strcpy(out->nodename, "localhost");
    strcpy(out->release, "6.1.0");
    strcpy(out->version, "#1 SMP");
    strcpy(out->machine, sizeof(void *) == 8 ? "x86_64" : "i686");
    strcpy(out->domainname, "(none)");
    return 0;
}

int getloadavg(double *out, int count)
{
    for (int i = 0; i < count && i < 3; i++)
        out[i] = 0;
    return count < 3 ? count : 3;
}

// Random bytes that are the same in every run with the same seed, through the engine's clock.
static void fill_randomly(unsigned char *buffer, size_t size)
{
    static uint64_t state;
    static int seeded;
    if (!seeded) {
        long long seconds = 0, nanoseconds = 0;
        __symcrete_clock(CLOCK_REALTIME, &seconds, &nanoseconds);
        state = (uint64_t)seconds * 1000000007u ^ (uint64_t)nanoseconds;
        seeded = 1;
    }
    for (size_t i = 0; i < size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        buffer[i] = (unsigned char)(state >> 56);
    }
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    if ((flags & ~(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE)) != 0)
        return __symcrete_fail(EINVAL);
    if (!__symcrete_is_there(buffer, size, 1))
        return -1;
    fill_randomly(buffer, size);
    return (ssize_t)size;
}

int getentropy(void *buffer, size_t size)
{
    if (size > 256)
        return __symcrete_fail(EIO);
    if (!__symcrete_is_there(buffer, size, 1))
        return -1;
    fill_randomly(buffer, size);
    return 0;
}

uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t bound);
void arc4random_buf(void *buffer, size_t size);

uint32_t __symcrete_arc4random(void)
{
    uint32_t value;
    fill_randomly((unsigned char *)&value, sizeof value);
    return value;
}
ALIAS(arc4random, __symcrete_arc4random);

uint32_t arc4random_uniform(uint32_t bound)
{
    return bound < 2 ? 0 : __symcrete_arc4random() % bound;
}

void arc4random_buf(void *buffer, size_t size)
{
    fill_randomly(buffer, size);
}

// Every open descriptor is ready at once.
int poll(struct pollfd *list, nfds_t count, int timeout)
{
    (void)timeout;
    int ready = 0;
    if (count > OPEN_FILES)
        return __symcrete_fail(EINVAL);
    if (!__symcrete_is_there(list, count * sizeof *list, 1))
        return -1;
    for (nfds_t i = 0; i < count; i++) {
        struct symcrete_stat ignored;
        list[i].revents = 0;
        if (list[i].fd < 0)
            continue;
        if (__symcrete_fstat(list[i].fd, &ignored) < 0)
            list[i].revents = POLLNVAL;
        else
            list[i].revents = list[i].events & (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM);
        ready += list[i].revents != 0;
    }
    return ready;
}

// How many bytes of a set the kernel looks at.
static size_t set_bytes(int count)
{
    return ((size_t)count + NFDBITS - 1) / NFDBITS * sizeof(fd_mask);
}

static int is_set_there(const fd_set *set, int count)
{
    return set == NULL || __symcrete_is_there(set, set_bytes(count), 1);
}

// Whether all descriptors in a set are open.
static int are_open(const fd_set *set, int count)
{
    struct symcrete_stat ignored;
    for (int descriptor = 0; set != NULL && descriptor < count; descriptor++) {
        if (FD_ISSET(descriptor, set) && __symcrete_fstat(descriptor, &ignored) < 0)
            return 0;
    }
    return 1;
}

int select(int count, fd_set *restrict readable, fd_set *restrict writable, fd_set *restrict exceptional,
           struct timeval *restrict timeout)
{
    int ready = 0;
    if (count < 0 || (timeout != NULL && (timeout->tv_sec < 0 || timeout->tv_usec < 0)))
        return __symcrete_fail(EINVAL);
    if (count > FD_SETSIZE)
        count = FD_SETSIZE;
    if (!is_set_there(readable, count) || !is_set_there(writable, count) || !is_set_there(exceptional, count))
        return -1;
    if (!are_open(readable, count) || !are_open(writable, count) || !are_open(exceptional, count))
        return __symcrete_fail(EBADF);
    for (int descriptor = 0; descriptor < count; descriptor++) {
        ready += readable != NULL && FD_ISSET(descriptor, readable);
        ready += writable != NULL && FD_ISSET(descriptor, writable);
    }
    if (exceptional != NULL)
        memset(exceptional, 0, set_bytes(count));
    return ready;
}
TIME64_ALIAS(__select64, select);

long __fdelt_chk(long descriptor);
_Noreturn void __chk_fail(void);

long __fdelt_chk(long descriptor)
{
    if (descriptor < 0 || descriptor >= FD_SETSIZE)
        __chk_fail();
    return descriptor / NFDBITS;
}

// There is no system log.
void openlog(const char *name, int options, int facility)
{
    (void)name;
    (void)options;
    (void)facility;
}

void closelog(void)
{
}

int setlogmask(int mask)
{
    (void)mask;
    return 0xff;
}

void syslog(int priority, const char *format, ...)
{
    (void)priority;
    (void)format;
}

void vsyslog(int priority, const char *format, va_list arguments)
{
    (void)priority;
    (void)format;
    (void)arguments;
}
