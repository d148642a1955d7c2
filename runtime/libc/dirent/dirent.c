// Directories: opendir, readdir and their relatives. Entries come in sorted order, "." and ".." first.
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../internal.h"

// The path is absolute, so that a later chdir does not matter.
struct __dirstream {
    size_t next;
    struct dirent entry;
    struct dirent64 entry64;
    char path[PATH_MAX];
};

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
    long answer = *path == '\0' ? -ENOENT : __symcrete_stat(path, &status);
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

// Asks the engine for the next entry; returns its type or -1.
static int next_entry(DIR *directory, char *name, size_t size)
{
    long answer = __symcrete_readdir(directory->path, directory->next, name, size);
    if (__symcrete_result(answer) <= 0)
        return -1;
    directory->next++;
    return (int)answer - 1;
}

struct dirent *__readdir(DIR *directory)
{
    struct dirent *entry = &directory->entry;
    int type = next_entry(directory, entry->d_name, sizeof entry->d_name);
    if (type < 0)
        return NULL;
    entry->d_ino = (ino_t)directory->next;
    entry->d_off = (off_t)directory->next;
    entry->d_reclen = sizeof *entry;
    entry->d_type = (unsigned char)type;
    return entry;
}
ALIAS(readdir, __readdir);

struct dirent64 *readdir64(DIR *directory)
{
    struct dirent64 *entry = &directory->entry64;
    int type = next_entry(directory, entry->d_name, sizeof entry->d_name);
    if (type < 0)
        return NULL;
    entry->d_ino = directory->next;
    entry->d_off = (off64_t)directory->next;
    entry->d_reclen = sizeof *entry;
    entry->d_type = (unsigned char)type;
    return entry;
}

int readdir_r(DIR *restrict directory, struct dirent *restrict out, struct dirent **restrict result)
{
    int saved_errno = errno;
    errno = 0;
    struct dirent *entry = __readdir(directory);
    int error = errno;
    errno = saved_errno;
    *result = entry == NULL ? NULL : out;
    if (entry != NULL)
        *out = *entry;
    return entry == NULL ? error : 0;
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

int alphasort(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

int alphasort64(const struct dirent64 **left, const struct dirent64 **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

int __strverscmp(const char *left, const char *right);

int versionsort(const struct dirent **left, const struct dirent **right)
{
    return __strverscmp((*left)->d_name, (*right)->d_name);
}

static int discard(struct dirent **list, size_t count)
{
    while (count > 0)
        free(list[--count]);
    free(list);
    return -1;
}

int scandir(const char *restrict path, struct dirent ***restrict out, int (*select)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **))
{
    DIR *directory = __opendir(path);
    struct dirent **list = NULL, *entry;
    size_t count = 0, room = 0;
    if (directory == NULL)
        return -1;
    while ((entry = __readdir(directory)) != NULL) {
        if (select != NULL && !select(entry))
            continue;
        if (count == room) {
            room = room == 0 ? 16 : room * 2;
            struct dirent **longer = realloc(list, room * sizeof *list);
            if (longer == NULL) {
                __closedir(directory);
                return discard(list, count);
            }
            list = longer;
        }
        list[count] = malloc(sizeof *entry);
        if (list[count] == NULL) {
            __closedir(directory);
            return discard(list, count);
        }
        *list[count++] = *entry;
    }
    __closedir(directory);
    if (compare != NULL && count > 1)
        qsort(list, count, sizeof *list, (int (*)(const void *, const void *))compare);
    *out = list;
    return (int)count;
}
#if __WORDSIZE == 64
extern int scandir64(const char *restrict path, struct dirent64 ***restrict out, int (*select)(const struct dirent64 *),
                     int (*compare)(const struct dirent64 **, const struct dirent64 **))
    __attribute__((alias("scandir")));
#endif
