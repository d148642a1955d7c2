// What every machine has can be read as it is: system files, directories, devices. Nothing is changed.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *path) {
    struct stat status;
    errno = 0;
    if (stat(path, &status) != 0) {
        printf("%s: errno %d\n", path, errno);
        return;
    }
    printf("%s: mode %o, owner %u %u", path, (unsigned)status.st_mode, (unsigned)status.st_uid, (unsigned)status.st_gid);
    if (S_ISREG(status.st_mode))
        printf(", size %ld, modified %ld", (long)status.st_size, (long)status.st_mtime);
    printf("\n");
}

static unsigned sum(const char *path) {
    char bytes[512];
    unsigned hash = 5381;
    int file = open(path, O_RDONLY);
    if (file < 0)
        return (unsigned)errno;
    for (ssize_t count; (count = read(file, bytes, sizeof bytes)) > 0;)
        for (ssize_t i = 0; i < count; i++)
            hash = hash * 33 + (unsigned char)bytes[i];
    close(file);
    return hash;
}

static void list(const char *path) {
    int count = 0;
    unsigned names = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL; count++)
        for (const char *c = entry->d_name; *c != '\0'; c++)
            names += (unsigned char)*c * 7u;
    if (folder != NULL)
        closedir(folder);
    printf("%s: %d names, %u\n", path, count, names);
}

int main(void) {
    const char *paths[] = {"/etc/passwd", "/etc/group", "/etc", "/usr/bin", "/bin/sh", "/dev/null", "/dev/zero", "/", "/tmp",
                           "/etc/symcrete-missing", "/etc/passwd/file", "/etc/../usr/./bin/../lib/", "/etc/passwd/", ""};
    for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
        show(paths[i]);
    printf("%u %u %u\n", sum("/etc/passwd"), sum("/etc/group"), sum("/etc/symcrete-missing"));
    list("/usr");
    list("/etc/passwd");
    char zeros[16], target[64];
    int zero = open("/dev/zero", O_RDONLY), full = open("/dev/full", O_WRONLY), null = open("/dev/null", O_RDWR);
    memset(zeros, 1, sizeof zeros);
    printf("%zd %d\n", read(zero, zeros, sizeof zeros), zeros[15]);
    errno = 0;
    printf("%zd", write(full, zeros, 4));
    printf(" %d\n", errno);
    printf("%zd", write(null, zeros, 4));
    printf(" %zd\n", read(null, zeros, 4));
    ssize_t length = readlink("/proc/self/cwd/../../../../../../../dev/stdin", target, sizeof target);
    printf("%.*s\n", (int)(length < 0 ? 0 : length), target);
    printf("%d %d\n", access("/etc/passwd", R_OK), access("/etc/passwd", X_OK));
    printf("%u %u\n", (unsigned)getuid(), (unsigned)getegid());
    return 0;
}
