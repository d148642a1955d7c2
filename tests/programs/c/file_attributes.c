// What is set of files and descriptors can be read again: permissions, times, links, flags; by path, by descriptor, and by a path that
// begins at an open directory.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#define SHOW(call)                                                                                                     \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        long result = (long)(call);                                                                                    \
        printf("%s: %ld, errno %d\n", #call, result, errno);                                                           \
    } while (0)

static void show(const char *name) {
    struct stat status;
    if (lstat(name, &status) != 0) {
        printf("%s: errno %d\n", name, errno);
        return;
    }
    printf("%s: mode %o, links %d, size %ld", name, (unsigned)status.st_mode, (int)status.st_nlink, (long)status.st_size);
    // The present is another one for each run.
    int is_old = status.st_mtim.tv_sec < 100000 && status.st_atim.tv_sec < 100000;
    if (is_old)
        printf(", accessed %ld.%ld, modified %ld.%ld", (long)status.st_atim.tv_sec, status.st_atim.tv_nsec,
               (long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    printf("\n");
}

static void times(int folder, int file) {
    struct timeval micro[2] = {{11, 22}, {33, 44}}, bad[2] = {{1, 1000000}, {1, 0}};
    struct timespec nano[2] = {{55, 66}, {77, 88}}, some[2] = {{0, UTIME_OMIT}, {99, 5}}, wrong[2] = {{1, -1}, {1, 0}};
    struct timespec none[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
    struct utimbuf seconds = {111, 222};
    SHOW(utime("file", &seconds));
    show("file");
    SHOW(utimes("file", micro));
    show("file");
    SHOW(utimes("file", bad));
    SHOW(futimes(file, bad));
    SHOW(utimensat(AT_FDCWD, "file", nano, 0));
    show("file");
    SHOW(utimensat(folder, "file", some, 0));
    show("file");
    SHOW(utimensat(folder, "file", wrong, 0));
    SHOW(utimensat(folder, "missing", none, 0));
    SHOW(utimensat(folder, "file", nano, 77));
    SHOW(futimens(file, nano));
    show("file");
    SHOW(futimesat(folder, "file", micro));
    show("file");
    SHOW(futimesat(file, NULL, NULL));
    show("file");
    SHOW(futimesat(file, "file", micro));
    SHOW(futimesat(99, "file", micro));
    SHOW(futimens(99, nano));
    SHOW(utime("missing", &seconds));
    SHOW(lutimes("symbolic", micro));
    show("symbolic");
    SHOW(utimensat(AT_FDCWD, "symbolic", nano, AT_SYMLINK_NOFOLLOW));
    show("symbolic");
    SHOW(utimes("symbolic", micro));
    show("file");
    SHOW(utimes("file", NULL));
    show("file");
}

static void permissions(int folder, int file) {
    SHOW(chmod("file", 0640));
    show("file");
    SHOW(fchmod(file, 04755));
    show("file");
    SHOW(fchmodat(folder, "file", 0600, 0));
    show("file");
    SHOW(fchmodat(folder, "missing", 0600, 0));
    SHOW(chmod("missing", 0));
    SHOW(fchmod(99, 0));
    SHOW(chown("file", getuid(), -1));
    SHOW(chown("missing", -1, -1));
    SHOW(fchown(99, -1, -1));
    umask(027);
    SHOW(mkdir("made", 0777));
    show("made");
    SHOW(chmod("made", 01777));
    show("made");
    SHOW(rmdir("made"));
}

static void links(int folder) {
    char text[64];
    SHOW(link("file", "second"));
    show("second");
    SHOW(linkat(folder, "file", AT_FDCWD, "third", 0));
    show("file");
    SHOW(link("file", "second"));
    SHOW(link("missing", "fourth"));
    SHOW(link(".", "fourth"));
    SHOW(unlink("third"));
    show("file");
    SHOW(symlink("file", "symbolic"));
    show("symbolic");
    SHOW(symlinkat("nowhere", folder, "dangling"));
    SHOW(symlink("file", "second"));
    SHOW(symlink("", "empty"));
    memset(text, 0, sizeof text);
    SHOW(readlink("symbolic", text, sizeof text));
    SHOW(readlinkat(folder, "dangling", text, 3));
    printf("%s\n", text);
    SHOW(readlink("file", text, sizeof text));
    SHOW(readlink("missing", text, sizeof text));
    SHOW(open("dangling", O_RDONLY));
    SHOW(access("symbolic", R_OK));
    SHOW(mkfifo("pipe", 0666));
    show("pipe");
    SHOW(mkfifo("pipe", 0666));
    SHOW(unlink("pipe"));
    SHOW(linkat(AT_FDCWD, "symbolic", AT_FDCWD, "copy", AT_SYMLINK_FOLLOW));
    show("copy");
    SHOW(unlink("copy"));
}

static void flags(int file) {
    SHOW(fcntl(file, F_GETFD));
    SHOW(fcntl(file, F_SETFD, FD_CLOEXEC));
    SHOW(fcntl(file, F_GETFD));
    int copy = dup(file);
    SHOW(fcntl(copy, F_GETFD));
    SHOW(fcntl(file, F_SETFD, 0));
    SHOW(fcntl(file, F_GETFD));
    int other = fcntl(file, F_DUPFD_CLOEXEC, 20), high = fcntl(file, F_DUPFD, 20);
    printf("%d %d %d %d\n", other, fcntl(other, F_GETFD), high, fcntl(high, F_GETFD));
    SHOW(dup3(file, 30, O_CLOEXEC));
    SHOW(fcntl(30, F_GETFD));
    SHOW(dup2(30, 31));
    SHOW(fcntl(31, F_GETFD));
    int closed = open("file", O_RDONLY | O_CLOEXEC);
    SHOW(fcntl(closed, F_GETFD));
    SHOW(fcntl(99, F_GETFD));
    SHOW(fcntl(99, F_SETFD, 1));
    SHOW(fcntl(file, F_DUPFD, -1));
    SHOW(fcntl(file, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    SHOW(fcntl(copy, F_SETFL, O_APPEND | O_NONBLOCK));
    SHOW(fcntl(file, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    SHOW(write(file, "end", 3));
    SHOW(lseek(file, 0, SEEK_CUR));
    close(copy);
    close(other);
    close(high);
    close(30);
    close(31);
    close(closed);
}

static void at_directory(int folder) {
    struct stat status;
    SHOW(mkdirat(folder, "inner", 0700));
    int inner = openat(folder, "inner", O_RDONLY | O_DIRECTORY);
    SHOW(openat(inner, "deep", O_WRONLY | O_CREAT, 0600) >= 0);
    show("inner/deep");
    SHOW(fstatat(inner, "deep", &status, 0));
    SHOW(fstatat(inner, "missing", &status, 0));
    SHOW(fstatat(inner, "", &status, AT_EMPTY_PATH));
    SHOW(S_ISDIR(status.st_mode));
    SHOW(faccessat(inner, "deep", W_OK, 0));
    SHOW(renameat(inner, "deep", folder, "moved"));
    show("moved");
    SHOW(fchdir(inner));
    SHOW(access("../moved", F_OK));
    SHOW(fchdir(folder));
    SHOW(fchdir(99));
    SHOW(unlinkat(folder, "moved", 0));
    SHOW(unlinkat(folder, "inner", 0));
    SHOW(unlinkat(folder, "inner", AT_REMOVEDIR));
    SHOW(openat(inner, "late", O_WRONLY | O_CREAT, 0600));
    SHOW(openat(99, "late", O_RDONLY));
    SHOW(openat(0, "late", O_RDONLY));
}

int main(void) {
    char path[] = "/tmp/symcrete-test-XXXXXX";
    if (mkdtemp(path) == NULL || chdir(path) != 0)
        return 1;
    int folder = open(".", O_RDONLY | O_DIRECTORY), file = open("file", O_RDWR | O_CREAT, 0666);
    SHOW(write(file, "content", 7));
    permissions(folder, file);
    links(folder);
    times(folder, file);
    flags(file);
    at_directory(folder);
    const char *names[] = {"file", "second", "symbolic", "dangling"};
    for (int i = 0; i < 4; i++)
        unlink(names[i]);
    return rmdir(path);
}
