// Directories: opendir and its relatives. Their entries are in entries.c.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../internal.h"
#include "stream.h"

static long absolute_path(const char *path, char out[PATH_MAX])
{
    size_t used = 0, length = strlen(path);
    if (*path != '/') {
        long answer = __symcrete_getcwd(out, PATH_MAX);
        if (answer < 0)
            return answer;
        used = (size_t)answer - 1;
        out[used++] = '/';
    }
    if (used + length >= PATH_MAX)
        return -ENAMETOOLONG;
    memcpy(out + used, path, length + 1);
    return 0;
}

DIR *__opendir(const char *path)
{
    struct symcrete_stat status;
    long answer = __symcrete_stat(path, &status);
    if (answer >= 0 && (status.mode & S_IFMT) != S_IFDIR)
        answer = -ENOTDIR;
    if (answer < 0) {
        errno = (int)-answer;
        return NULL;
    }
    DIR *directory = calloc(1, sizeof *directory);
    if (directory == NULL)
        return NULL;
    answer = absolute_path(path, directory->path);
    if (answer < 0) {
        free(directory);
        errno = (int)-answer;
        return NULL;
    }
    return directory;
}
ALIAS(opendir, __opendir);

int __closedir(DIR *directory)
{
    free(directory);
    return 0;
}
ALIAS(closedir, __closedir);

int __symcrete_next_entry(DIR *directory, char *name, size_t size)
{
    long answer = __symcrete_readdir(directory->path, directory->next, name, size);
    if (__symcrete_result(answer) <= 0)
        return -1;
    directory->next++;
    return (int)answer - 1;
}

void rewinddir(DIR *directory)
{
    directory->next = 0;
}

long telldir(DIR *directory)
{
    return (long)directory->next;
}

void seekdir(DIR *directory, long place)
{
    directory->next = (size_t)place;
}

// There is no descriptor behind a directory.
int dirfd(DIR *directory)
{
    (void)directory;
    return __symcrete_fail(ENOTSUP);
}

DIR *fdopendir(int descriptor)
{
    (void)descriptor;
    errno = ENOSYS;
    return NULL;
}
