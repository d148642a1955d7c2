// basename (both kinds) and dirname: the parts of a path.
#define _GNU_SOURCE
#include <string.h>

#include "../internal.h"

char *__xpg_basename(char *path);
char *dirname(char *path);

// The basename of <string.h>: never changes its argument, and is empty after a final slash.
char *basename(const char *path)
{
    char *slash = strrchr(path, '/');
    return slash == NULL ? (char *)path : slash + 1;
}

// The basename of <libgen.h>.
char *__xpg_basename(char *path)
{
    if (path == NULL || *path == '\0')
        return (char *)".";
    char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/')
        *--end = '\0';
    char *start = end;
    while (start > path && start[-1] != '/')
        start--;
    return start == end ? path : start;
}

char *dirname(char *path)
{
    if (path == NULL || *path == '\0')
        return (char *)".";
    char *end = path + strlen(path);
    while (end > path && end[-1] == '/') // slashes after the last name
        end--;
    if (end == path)
        end = path + 1; // nothing but slashes
    else {
        while (end > path && end[-1] != '/') // the last name
            end--;
        if (end == path)
            return (char *)".";
        while (end > path && end[-1] == '/') // slashes before it
            end--;
        if (end == path)
            end = path + 1;
    }
    // Like glibc, keep a leading pair of slashes, which POSIX leaves to the system.
    if (end == path + 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
        end++;
    *end = '\0';
    return path;
}
