// realpath: the absolute name of a file. The engine follows symbolic links but does not show where they lead, so a name
// that passes through one stays as it is.
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../internal.h"

char *__realpath_chk(const char *path, char *resolved, size_t size);
char *canonicalize_file_name(const char *path);
_Noreturn void __chk_fail(void);

// Appends the next name of `path` to `out`, which has `length` bytes; returns the new length or a negative errno.
static long append_name(char *out, long length, const char *name, size_t name_length)
{
    if (name_length == 0 || (name_length == 1 && name[0] == '.'))
        return length;
    if (name_length == 2 && name[0] == '.' && name[1] == '.') {
        while (length > 1 && out[--length] != '/')
            ;
        return length;
    }
    if (length != 1 || out[0] != '/')
        out[length++] = '/';
    if (length + (long)name_length >= PATH_MAX)
        return -ENAMETOOLONG;
    memcpy(out + length, name, name_length);
    length += (long)name_length;
    out[length] = '\0';
    struct symcrete_stat status;
    long answer = __symcrete_stat(out, &status);
    if (answer < 0)
        return answer;
    if (name[name_length] == '/' && (status.mode & S_IFMT) != S_IFDIR)
        return -ENOTDIR;
    return length;
}

static long resolve(const char *path, char out[PATH_MAX])
{
    long length = 1;
    if (*path == '/') {
        out[0] = '/';
    } else {
        long answer = __symcrete_getcwd(out, PATH_MAX);
        if (answer < 0)
            return answer;
        length = answer - 1;
    }
    while (*path != '\0') {
        size_t name_length = strcspn(path, "/");
        length = append_name(out, length, path, name_length);
        if (length < 0)
            return length;
        path += name_length;
        while (*path == '/')
            path++;
    }
    out[length] = '\0';
    return 0;
}

char *__symcrete_realpath(const char *restrict path, char *restrict resolved)
{
    char out[PATH_MAX];
    const char *volatile given = path; // the header says it is never null, programs say otherwise
    if (given == NULL || *path == '\0') {
        errno = given == NULL ? EINVAL : ENOENT;
        return NULL;
    }
    long answer = resolve(path, out);
    if (answer < 0) {
        errno = (int)-answer;
        return NULL;
    }
    size_t size = strlen(out) + 1;
    if (resolved == NULL && (resolved = malloc(size)) == NULL)
        return NULL;
    return memcpy(resolved, out, size);
}
ALIAS(realpath, __symcrete_realpath);

char *__realpath_chk(const char *path, char *resolved, size_t size)
{
    if (size < PATH_MAX)
        __chk_fail();
    return __symcrete_realpath(path, resolved);
}

char *canonicalize_file_name(const char *path)
{
    return __symcrete_realpath(path, NULL);
}
