// The POSIX wrappers on real files in a scratch directory, against the host's answers.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "differential.h"

OURS(open);
OURS(openat);
OURS(creat);
OURS(close);
OURS(read);
OURS(write);
OURS(lseek);
OURS(pread);
OURS(pwrite);
OURS(readv);
OURS(writev);
OURS(dup);
OURS(fcntl);
OURS(ftruncate);
OURS(truncate);
OURS(isatty);
OURS(stat);
OURS(fstat);
OURS(lstat);
OURS(fstatat);
OURS(access);
OURS(unlink);
OURS(mkdir);
OURS(rmdir);
OURS(getcwd);
OURS(realpath);
OURS(opendir);
OURS(readdir);
OURS(closedir);
OURS(scandir);
OURS(alphasort);
OURS(mmap);
OURS(munmap);
OURS(glob);
OURS(globfree);

static void check_descriptors(void)
{
    char buffer[32] = "";
    int file = our_open("file", O_RDWR | O_CREAT | O_TRUNC, 0644);
    CHECK(file >= 0 && our_write(file, "hello world", 11) == 11, "open and write");
    CHECK(our_lseek(file, 6, SEEK_SET) == 6 && our_read(file, buffer, sizeof buffer) == 5, "lseek and read");
    CHECK(strcmp(buffer, "world") == 0, "contents");
    CHECK(our_pread(file, buffer, 5, 0) == 5 && strncmp(buffer, "hello", 5) == 0, "pread");
    CHECK(our_lseek(file, 0, SEEK_CUR) == 11, "pread leaves the position");
    CHECK(our_pwrite(file, "J", 1, 0) == 1 && our_pread(file, buffer, 5, 0) == 5 && buffer[0] == 'J', "pwrite");
    struct iovec pieces[2] = {{(char *)"ab", 2}, {(char *)"cde", 3}};
    CHECK(our_writev(file, pieces, 2) == 5 && our_lseek(file, 0, SEEK_CUR) == 16, "writev");
    CHECK(our_fcntl(file, F_GETFL) == fcntl(file, F_GETFL) && our_fcntl(99, F_GETFL) == -1 && our_errno == EBADF, "fcntl");
    int copy = our_fcntl(file, F_DUPFD, 50);
    CHECK(copy >= 50 && our_close(copy) == 0, "F_DUPFD");
    CHECK(our_ftruncate(file, 3) == 0 && our_lseek(file, 0, SEEK_END) == 3, "ftruncate");
    CHECK(our_isatty(file) == 0 && our_errno == ENOTTY, "isatty");
    CHECK(our_close(file) == 0 && our_close(file) == -1 && our_errno == EBADF, "close");
    CHECK(our_open("missing", O_RDONLY) == -1 && our_errno == ENOENT, "open of a missing file");
    CHECK(our_truncate("file", 2) == 0, "truncate");
}

static int same_status(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_mode == b->st_mode && a->st_size == b->st_size
           && a->st_nlink == b->st_nlink && a->st_mtim.tv_sec == b->st_mtim.tv_sec
           && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec && a->st_blksize == b->st_blksize && a->st_uid == b->st_uid;
}

static void check_names(void)
{
    struct stat theirs, ours;
    char path[PATH_MAX], own_path[PATH_MAX];
    CHECK(stat("file", &theirs) == 0 && our_stat("file", &ours) == 0 && same_status(&theirs, &ours), "stat");
    CHECK(our_fstatat(AT_FDCWD, "file", &ours, 0) == 0 && same_status(&theirs, &ours), "fstatat");
    CHECK(our_stat("missing", &ours) == -1 && our_errno == ENOENT, "stat of a missing file");
    CHECK(our_access("file", R_OK) == 0 && our_access("missing", F_OK) == -1, "access");
    CHECK(our_mkdir("folder", 0755) == 0 && our_mkdir("folder", 0755) == -1 && our_errno == EEXIST, "mkdir");
    CHECK(strcmp(getcwd(path, sizeof path), our_getcwd(own_path, sizeof own_path)) == 0, "getcwd");
    CHECK(our_getcwd(own_path, 2) == NULL && our_errno == ERANGE, "getcwd without room");
    char *allocated = our_getcwd(NULL, 0);
    CHECK(strcmp(allocated, path) == 0, "getcwd that allocates");
    free(allocated);
    static const char *paths[] = {"folder/../file",
                                  "./folder/.",
                                  "/",
                                  "//",
                                  "folder/missing",
                                  "file/x",
                                  "folder///../folder/",
                                  "",
                                  "../..",
                                  "/usr/../usr/./lib/..",
                                  "file/",
                                  "folder/.."};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        errno = our_errno = 0;
        char *expected = realpath(paths[i], path), *got = our_realpath(paths[i], own_path);
        CHECK((expected == NULL) == (got == NULL) && (got != NULL || errno == our_errno),
              "realpath %s: %s, errno %d, ours %d", paths[i], expected, errno, our_errno);
        CHECK(expected == NULL || got == NULL || strcmp(expected, got) == 0, "realpath %s: %s, ours %s", paths[i],
              expected, got);
    }
}

static void check_directories(void)
{
    DIR *directory = our_opendir(".");
    char names[256] = "";
    CHECK(directory != NULL, "opendir");
    for (struct dirent *entry; (entry = our_readdir(directory)) != NULL;) {
        strcat(strcat(names, entry->d_name), " ");
        if (strcmp(entry->d_name, "folder") == 0)
            CHECK(entry->d_type == DT_DIR, "type of a directory's entry");
    }
    CHECK(strcmp(names, ". .. file folder ") == 0, "readdir: %s", names);
    CHECK(our_closedir(directory) == 0, "closedir");
    CHECK(our_opendir("file") == NULL && our_errno == ENOTDIR, "opendir of a file");
    struct dirent **list;
    int count = our_scandir(".", &list, NULL, our_alphasort);
    CHECK(count == 4 && strcmp(list[3]->d_name, "folder") == 0, "scandir");
    while (count > 0)
        free(list[--count]);
    free(list);
}

static void check_mappings(void)
{
    int file = open("file", O_RDONLY);
    char *memory = our_mmap(NULL, 10, PROT_READ, MAP_PRIVATE, file, 0);
    CHECK(memory != MAP_FAILED && memory[0] == 'J' && memory[2] == '\0', "mmap of a file");
    CHECK(our_munmap(memory, 10) == 0, "munmap");
    memory = our_mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && memory[4999] == 0 && (uintptr_t)memory % 4096 == 0, "anonymous mmap");
    CHECK(our_munmap(memory, 5000) == 0, "munmap");
    close(file);
}

static void compare_globbing(void)
{
    static const char *patterns[] = {
        "*",      "f*",          "folder/*", "./f*e",  "{file,folder}",      "x{a,b}",   "[f]ile", "none*", "file", "~",
        "/tm[p]", "f{il,old}e*", ".*",       "\\file", "f{i{l,x},old}e{,r}", "*/../file"};
    static const int flags[] = {0,           GLOB_MARK,   GLOB_BRACE, GLOB_NOCHECK, GLOB_BRACE | GLOB_MARK,
                                GLOB_PERIOD, GLOB_NOMAGIC};
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        for (size_t j = 0; j < sizeof flags / sizeof flags[0]; j++) {
            glob_t theirs, ours;
            int expected = glob(patterns[i], flags[j], NULL, &theirs),
                got = our_glob(patterns[i], flags[j], NULL, &ours);
            CHECK(expected == got, "glob \"%s\" flags %d: %d, ours %d", patterns[i], flags[j], expected, got);
            if (expected != 0 || got != 0)
                continue;
            CHECK(theirs.gl_pathc == ours.gl_pathc, "glob \"%s\" flags %d: %zu, ours %zu", patterns[i], flags[j],
                  theirs.gl_pathc, ours.gl_pathc);
            for (size_t k = 0; k < theirs.gl_pathc && k < ours.gl_pathc; k++)
                CHECK(strcmp(theirs.gl_pathv[k], ours.gl_pathv[k]) == 0, "glob \"%s\" flags %d: %s, ours %s",
                      patterns[i], flags[j], theirs.gl_pathv[k], ours.gl_pathv[k]);
            globfree(&theirs);
            our_globfree(&ours);
        }
    }
}

void test_files(void)
{
    char scratch[] = "/tmp/symcrete-libc-XXXXXX", before[PATH_MAX];
    if (getcwd(before, sizeof before) == NULL || mkdtemp(scratch) == NULL || chdir(scratch) != 0)
        abort();
    check_descriptors();
    check_names();
    check_directories();
    check_mappings();
    compare_globbing();
    CHECK(our_unlink("file") == 0 && our_rmdir("folder") == 0, "unlink and rmdir");
    if (chdir(before) != 0 || rmdir(scratch) != 0)
        abort();
}
