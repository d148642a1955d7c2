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
    rlim_t limit = resource == RLIMIT_STACK ? 8 << 20 : resource == RLIMIT_NOFILE ? OPEN_FILES : RLIM_INFINITY;
    *out = (struct rlimit){limit, limit == OPEN_FILES ? limit : RLIM_INFINITY};
    return 0;
}

int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *out)
{
    rlim64_t limit = resource == RLIMIT_STACK ? 8 << 20 : resource == RLIMIT_NOFILE ? OPEN_FILES : RLIM64_INFINITY;
    *out = (struct rlimit64){limit, limit == OPEN_FILES ? limit : RLIM64_INFINITY};
    return 0;
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    (void)resource;
    (void)limit;
    return 0;
}

int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit)
{
    (void)resource;
    (void)limit;
    return 0;
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
    (void)flags;
    fill_randomly(buffer, size);
    return (ssize_t)size;
}

int getentropy(void *buffer, size_t size)
{
    if (size > 256)
        return __symcrete_fail(EIO);
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

int select(int count, fd_set *restrict readable, fd_set *restrict writable, fd_set *restrict exceptional,
           struct timeval *restrict timeout)
{
    (void)timeout;
    int ready = 0;
    for (int descriptor = 0; descriptor < count; descriptor++) {
        ready += readable != NULL && FD_ISSET(descriptor, readable);
        ready += writable != NULL && FD_ISSET(descriptor, writable);
    }
    if (exceptional != NULL)
        FD_ZERO(exceptional);
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
