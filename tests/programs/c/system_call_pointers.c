// System calls that are given pointers to nothing, to memory of the kernel, or to memory that must not be written: they fail, in
// the order in which Linux checks, and the program goes on.
// 64-bit: the C library of 32-bit programs looks into some of them itself, and crashes
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

#define SHOW(call)                                                                                                     \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        long result = (long)(call);                                                                                    \
        printf("%s: %ld, errno %d\n", #call, result, errno);                                                           \
    } while (0)

// Where the compiler does not look.
static void *volatile nowhere = NULL, *volatile low = (void *)8, *volatile high = (void *)-4096;
static char *volatile literal = (char *)"abc";
static char room[64];

static void transfers(int file) {
    SHOW(read(file, nowhere, 1));
    SHOW(read(file, low, 1));
    SHOW(read(file, high, 1));
    SHOW(read(file, literal, 1));
    SHOW(read(file, nowhere, 0));
    SHOW(read(99, nowhere, 1));
    SHOW(lseek(file, 0, SEEK_CUR));
    SHOW(read(file, room, 4));
    printf("%.4s\n", room);
    SHOW(pread(file, nowhere, 3, 1));
    SHOW(write(file, nowhere, 1));
    SHOW(write(file, low, 1));
    SHOW(write(file, nowhere, 0));
    SHOW(write(99, nowhere, 1));
    SHOW(pwrite(file, nowhere, 1, 0));
    SHOW(lseek(file, 0, SEEK_END));
    SHOW(read(file, nowhere, 1));
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY), folder = open(".", O_RDONLY);
    SHOW(write(null, nowhere, 5));
    SHOW(read(null, nowhere, 5));
    SHOW(read(zero, nowhere, 5));
    SHOW(read(folder, room, 5));
    SHOW(write(zero, nowhere, 5));
    close(null);
    close(zero);
    close(folder);
}

static void pieces(int file) {
    char first[3], second[3];
    struct iovec good = {first, 3}, bad = {nowhere, 3}, none = {nowhere, 0}, last = {second, 3};
    struct iovec in[3] = {good, bad, last}, in_order[3] = {good, none, last};
    lseek(file, 0, SEEK_SET);
    SHOW(readv(file, in, 3));
    SHOW(lseek(file, 0, SEEK_CUR));
    SHOW(readv(file, in_order, 3));
    SHOW(readv(file, in + 1, 1));
    SHOW(readv(file, nowhere, 1));
    SHOW(readv(file, nowhere, 0));
    SHOW(readv(file, in, -1));
    SHOW(writev(file, in, 3));
    SHOW(writev(file, in + 1, 2));
    SHOW(writev(99, nowhere, 2));
}

static void paths(void) {
    struct stat status;
    SHOW(open(nowhere, O_RDONLY));
    SHOW(open(high, O_RDONLY));
    SHOW(openat(AT_FDCWD, low, O_RDONLY));
    SHOW(creat(nowhere, 0600));
    SHOW(stat(nowhere, &status));
    SHOW(stat(".", nowhere));
    SHOW(stat("missing", nowhere));
    SHOW(lstat(low, nowhere));
    SHOW(fstat(0, nowhere));
    SHOW(fstat(99, nowhere));
    SHOW(fstatat(AT_FDCWD, nowhere, &status, 0));
    SHOW(access(nowhere, R_OK));
    SHOW(faccessat(AT_FDCWD, nowhere, R_OK, 0));
    SHOW(unlink(nowhere));
    SHOW(unlinkat(99, nowhere, 0));
    SHOW(rmdir(low));
    SHOW(mkdir(nowhere, 0700));
    SHOW(rename(nowhere, "new"));
    SHOW(rename("missing", nowhere));
    SHOW(chdir(nowhere));
    SHOW(truncate(nowhere, 1));
    SHOW(chmod(nowhere, 0600));
    SHOW(chown(nowhere, -1, -1));
    SHOW(link(nowhere, "new"));
    SHOW(symlink(nowhere, "new"));
    SHOW(symlink("target", nowhere));
    SHOW(readlink(nowhere, room, 9));
    SHOW(mkfifo(nowhere, 0600));
    SHOW(remove(nowhere));
    SHOW(fopen(nowhere, "r") != NULL);
    SHOW(utimes(nowhere, NULL));
    SHOW(utimensat(AT_FDCWD, "missing", low, 0));
    SHOW(futimens(0, low));
    SHOW(utimensat(AT_FDCWD, low, NULL, 0));
    SHOW(utime(nowhere, NULL));
}

static void others(void) {
    fd_set set;
    FD_ZERO(&set);
    SHOW(getcwd(low, 4000) != NULL);
    SHOW(poll(nowhere, 1, 0));
    SHOW(poll(nowhere, 0, 0));
    SHOW(select(1, low, NULL, NULL, NULL));
    SHOW(select(-1, &set, NULL, NULL, NULL));
    SHOW(select(100, &set, NULL, &set, &(struct timeval){0, 0}));
    SHOW(nanosleep(nowhere, NULL));
    SHOW(uname(nowhere));
    SHOW(getrlimit(RLIMIT_CORE, nowhere));
    SHOW(setrlimit(RLIMIT_CORE, low));
    SHOW(getrusage(RUSAGE_SELF, nowhere));
    SHOW(getrusage(77, nowhere));
    SHOW(getitimer(ITIMER_REAL, nowhere));
    SHOW(getrandom(nowhere, 4, 0));
    SHOW(getrandom(nowhere, 4, 0x4000));
    SHOW(getgroups(-1, nowhere));
    SHOW(sigpending(nowhere));
    SHOW(sigprocmask(SIG_BLOCK, NULL, low));
    SHOW(pipe(nowhere));
    SHOW(fcntl(0, F_GETLK, low));
}

int main(void) {
    char folder[] = "/tmp/symcrete-test-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    int file = open("file", O_RDWR | O_CREAT, 0600);
    SHOW(write(file, "0123456789", 10));
    lseek(file, 0, SEEK_SET);
    transfers(file);
    pieces(file);
    paths();
    others();
    close(file);
    unlink("file");
    unlink("new");
    return rmdir(folder);
}
