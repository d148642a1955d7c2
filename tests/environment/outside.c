// Each call that would change a file outside of the working directory and /tmp is refused, with the error that Linux gives on a
// read-only mount, in the order in which Linux checks. Prints every call whose error is another one than expected here.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static int failures;

#define EXPECT(error, call)                                                                                            \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        long result = (long)(call);                                                                                    \
        if (errno != (error) || (result < 0) != ((error) != 0)) {                                                      \
            printf("%s: %ld, errno %d instead of %d\n", #call, result, errno, error);                                  \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static void opening(void) {
    EXPECT(0, open("/etc/passwd", O_RDONLY));
    EXPECT(0, open("/dev/null", O_RDWR));
    EXPECT(0, open("/usr", O_RDONLY | O_DIRECTORY));
    EXPECT(ENOENT, open("/etc/symcrete-missing", O_RDONLY));
    EXPECT(EROFS, open("/etc/symcrete-missing", O_WRONLY | O_CREAT, 0600));
    EXPECT(ENOENT, open("/etc/symcrete-missing", O_WRONLY));
    EXPECT(ENOENT, open("/etc/symcrete-missing/file", O_WRONLY | O_CREAT, 0600));
    EXPECT(ENOTDIR, open("/etc/passwd/file", O_WRONLY | O_CREAT, 0600));
    EXPECT(EISDIR, open("/etc", O_WRONLY));
    EXPECT(EEXIST, open("/etc/passwd", O_RDONLY | O_CREAT | O_EXCL, 0600));
    EXPECT(EROFS, open("/symcrete-missing", O_RDWR | O_CREAT, 0600));
    EXPECT(EROFS, open("/dev/symcrete-missing", O_RDWR | O_CREAT, 0600));
}

static void names(void) {
    EXPECT(EROFS, unlink("/etc/passwd"));
    EXPECT(EROFS, unlink("/etc/symcrete-missing"));
    EXPECT(ENOENT, unlink("/etc/symcrete-missing/file"));
    EXPECT(ENOTDIR, unlink("/etc/passwd/file"));
    EXPECT(EISDIR, unlink("/"));
    EXPECT(EROFS, rmdir("/etc"));
    EXPECT(EROFS, rmdir("/etc/passwd"));
    EXPECT(EINVAL, rmdir("/etc/."));
    EXPECT(ENOTEMPTY, rmdir("/etc/.."));
    EXPECT(EBUSY, rmdir("/"));
    EXPECT(EROFS, mkdir("/symcrete-missing", 0700));
    EXPECT(EEXIST, mkdir("/etc", 0700));
    EXPECT(ENOENT, mkdir("/symcrete-missing/inner", 0700));
    EXPECT(EROFS, rename("/etc/passwd", "/etc/symcrete-missing"));
    EXPECT(EROFS, rename("/etc/symcrete-missing", "/etc/other"));
    EXPECT(ENOENT, rename("/symcrete-missing/a", "/etc/other"));
    EXPECT(EXDEV, rename("/etc/passwd", "here"));
    EXPECT(EXDEV, rename("here", "/etc/symcrete-missing"));
    EXPECT(EROFS, symlink("target", "/etc/symcrete-missing"));
    EXPECT(EEXIST, symlink("target", "/etc/passwd"));
    EXPECT(EROFS, link("/etc/passwd", "/etc/symcrete-missing"));
    EXPECT(EXDEV, link("/etc/passwd", "here"));
    EXPECT(EROFS, mkfifo("/etc/symcrete-missing", 0600));
    EXPECT(EROFS, mknod("/etc/symcrete-missing", S_IFREG | 0600, 0));
}

static void attributes(void) {
    struct timeval times[2] = {{1, 2}, {3, 4}};
    EXPECT(EROFS, chmod("/etc/passwd", 0777));
    EXPECT(ENOENT, chmod("/etc/symcrete-missing", 0777));
    EXPECT(EROFS, chown("/etc/passwd", getuid(), -1));
    EXPECT(EROFS, utimes("/etc/passwd", times));
    EXPECT(ENOENT, utimes("/etc/symcrete-missing", times));
    EXPECT(EISDIR, truncate("/etc", 0));
    EXPECT(ENOENT, truncate("/etc/symcrete-missing", 0));
    EXPECT(ENOENT, access("/etc/symcrete-missing", W_OK));
    EXPECT(0, access("/dev/null", W_OK));
    EXPECT(0, access("/etc/passwd", R_OK));
}

static void root_only(void) {
    EXPECT(EROFS, open("/etc/passwd", O_WRONLY));
    EXPECT(EROFS, open("/etc/passwd", O_RDWR | O_TRUNC));
    EXPECT(EROFS, truncate("/etc/passwd", 0));
    EXPECT(EROFS, access("/etc/passwd", W_OK));
}

static void inside(const char *folder) {
    char path[200];
    snprintf(path, sizeof path, "%s/symcrete-test-file", folder);
    EXPECT(0, open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
    EXPECT(0, chmod(path, 0644));
    EXPECT(0, unlink(path));
    EXPECT(0, mkdir(path, 0700));
    EXPECT(0, rmdir(path));
}

int main(int argc, char **argv) {
    (void)argv;
    opening();
    names();
    attributes();
    if (argc > 1)
        root_only();
    inside(".");
    inside("/tmp");
    return failures;
}
