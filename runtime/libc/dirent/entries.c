// Entries of directories: readdir and scandir. They come in sorted order, "." and ".." first.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../internal.h"
#include "stream.h"

static struct dirent *next(DIR *directory)
{
    struct dirent *entry = (struct dirent *)&directory->entry;
    int type = __symcrete_next_entry(directory, entry->d_name, sizeof entry->d_name);
    if (type < 0)
        return NULL;
    entry->d_ino = (ino_t)directory->next;
    entry->d_off = (off_t)directory->next;
    entry->d_reclen = sizeof *entry;
    entry->d_type = (unsigned char)type;
    return entry;
}

struct dirent *readdir(DIR *directory)
{
    return next(directory);
}

int readdir_r(DIR *restrict directory, struct dirent *restrict out, struct dirent **restrict result)
{
    int saved_errno = errno;
    errno = 0;
    struct dirent *entry = next(directory);
    int error = errno;
    errno = saved_errno;
    *result = entry == NULL ? NULL : out;
    if (entry != NULL)
        *out = *entry;
    return entry == NULL ? error : 0;
}

int alphasort(const struct dirent **left, const struct dirent **right)
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
    while ((entry = next(directory)) != NULL) {
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
