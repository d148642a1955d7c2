// Open directories, as the functions on them share them.
#ifndef SYMCRETE_DIRECTORY_STREAM_H
#define SYMCRETE_DIRECTORY_STREAM_H

#include <dirent.h>
#include <limits.h>
#include <stddef.h>

struct __dirstream {
    size_t next;
    // What readdir returns; struct dirent, where it has another layout, is smaller.
    struct dirent64 entry;
    // Absolute, so that a later chdir does not matter.
    char path[PATH_MAX];
};

DIR *__opendir(const char *path);
int __closedir(DIR *directory);

// Copies the name of the next entry; returns its type, or -1 at the end and on errors, which set errno.
int __symcrete_next_entry(DIR *directory, char *name, size_t size);

#endif
