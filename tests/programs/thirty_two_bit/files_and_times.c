// Files and times with 32-bit offsets and seconds: what does not fit is refused. The 64-bit functions have names of their own.
// files_and_times_64.c compiles this file for 64-bit offsets and seconds.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void show_error(const char *what, long long result) {
    printf("%s: %lld %s\n", what, result, result < 0 ? strerror(errno) : "fine");
}

static void offsets(int descriptor) {
    show_error("write", write(descriptor, "0123456789", 10));
    show_error("lseek64", lseek64(descriptor, 3LL << 30, SEEK_SET));
    show_error("lseek", lseek(descriptor, 0, SEEK_CUR));
    show_error("lseek", lseek(descriptor, 4, SEEK_SET));
    char text[8] = "";
    show_error("read", read(descriptor, text, 3));
    show_error("pread64", pread64(descriptor, text, 3, 6));
    show_error("pwrite", pwrite(descriptor, "AB", 2, 1));
    show_error("ftruncate64", ftruncate64(descriptor, 7));
    struct stat status;
    struct stat64 status64;
    show_error("fstat", fstat(descriptor, &status));
    show_error("fstat64", fstat64(descriptor, &status64));
    printf("%s %lld %lld %o %d %d\n", text, (long long)status.st_size, (long long)status64.st_size, status.st_mode & S_IFMT,
           status.st_nlink == status64.st_nlink, (long)status.st_mtime == (long)status64.st_mtime);
}

static void directories(const char *folder) {
    chdir(folder);
    for (int number = 0; number < 4; number++) {
        char name[16];
        snprintf(name, sizeof name, "file%d", number * 5);
        close(open64(name, O_CREAT | O_WRONLY, 0600));
    }
    struct dirent **list;
    struct dirent64 **list64;
    int count = scandir(".", &list, NULL, versionsort), count64 = scandir64(".", &list64, NULL, alphasort64);
    for (int at = 0; at < count && at < count64; at++)
        printf("%s %s %d %d\n", list[at]->d_name, list64[at]->d_name, list[at]->d_type, list64[at]->d_type);
    DIR *directory = opendir(".");
    int entries = 0;
    while (readdir(directory) != NULL)
        entries++;
    closedir(directory);
    glob_t found;
    printf("%d %d ", entries, glob("file1*", 0, NULL, &found));
    for (size_t at = 0; at < found.gl_pathc; at++)
        printf("%s%c", found.gl_pathv[at], at + 1 < found.gl_pathc ? ' ' : '\n');
    globfree(&found);
    for (int number = 0; number < 4; number++)
        unlink(list[number + 2]->d_name);
}

static void times(void) {
    struct tm far = {.tm_year = 150, .tm_mon = 5, .tm_mday = 12, .tm_hour = 8}, near = {.tm_year = 137, .tm_mday = 40};
    errno = 0;
    long long seconds = timegm(&far);
    printf("%zu %lld %d %lld %d\n", sizeof(time_t), seconds, errno, (long long)timegm(&near), near.tm_mon);
    time_t last = 0x7fffffff, first = -1 - 0x7fffffff;
    struct tm broken;
    printf("%s", asctime(gmtime_r(&last, &broken)));
    printf("%s", asctime(gmtime(&first)));
    printf("%g\n", difftime(last, first));
    struct timespec now = {0}, later = {0}, resolution;
    struct timeval day;
    clock_gettime(CLOCK_MONOTONIC, &now);
    nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &later);
    printf("%d %d %d ", later.tv_sec >= now.tv_sec, clock_getres(CLOCK_REALTIME, &resolution), gettimeofday(&day, NULL));
    printf("%d %d\n", time(NULL) - day.tv_sec < 100, (unsigned long)clock() < 1000000000);
}

int main(void) {
    char folder[] = "/tmp/symcrete-widths-XXXXXX", name[64];
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(name, sizeof name, "%s/file", folder);
    int descriptor = open(name, O_CREAT | O_RDWR, 0600);
    offsets(descriptor);
    close(descriptor);
    struct stat status;
    show_error("stat", stat(name, &status));
    show_error("unlink", unlink(name));
    show_error("lstat", lstat(name, &status));
    directories(folder);
    show_error("rmdir", rmdir(folder));
    times();
    return 0;
}
