// glob: the files that match a shell pattern, with GNU's braces and tilde.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../dirent/stream.h"
#include "../internal.h"

int __symcrete_fnmatch(const char *pattern, const char *text, int flags);

struct search {
    int flags;
    int (*on_error)(const char *path, int error);
    glob_t *result;
    int status; // 0 or a GLOB_ error
    char path[PATH_MAX];
};

static int has_magic(const char *pattern, size_t length, int flags)
{
    for (size_t i = 0; i < length; i++) {
        if (pattern[i] == '\\' && !(flags & GLOB_NOESCAPE) && i + 1 < length)
            i++;
        else if (pattern[i] == '*' || pattern[i] == '?' || pattern[i] == '[')
            return 1;
    }
    return 0;
}

static void add(struct search *search, const char *path, int is_directory)
{
    glob_t *result = search->result;
    size_t offset = search->flags & GLOB_DOOFFS ? result->gl_offs : 0, length = strlen(path);
    char **list = realloc(result->gl_pathv, (offset + result->gl_pathc + 2) * sizeof *list);
    if (list == NULL) {
        search->status = GLOB_NOSPACE;
        return;
    }
    if (result->gl_pathv == NULL)
        for (size_t i = 0; i < offset; i++)
            list[i] = NULL;
    result->gl_pathv = list;
    char *copy = malloc(length + 2);
    if (copy == NULL) {
        search->status = GLOB_NOSPACE;
        return;
    }
    memcpy(copy, path, length + 1);
    if (is_directory && (search->flags & GLOB_MARK) && (length == 0 || path[length - 1] != '/'))
        memcpy(copy + length, "/", 2);
    list[offset + result->gl_pathc++] = copy;
    list[offset + result->gl_pathc] = NULL;
}

static void expand(struct search *search, size_t used, const char *pattern);

// Adds the path so far if there is such a file.
static void finish(struct search *search)
{
    struct symcrete_stat status;
    if (__symcrete_lstat(search->path, &status) < 0)
        return;
    int is_directory = (status.mode & S_IFMT) == S_IFDIR;
    if ((status.mode & S_IFMT) == S_IFLNK && __symcrete_stat(search->path, &status) >= 0)
        is_directory = (status.mode & S_IFMT) == S_IFDIR;
    if (is_directory || !(search->flags & GLOB_ONLYDIR))
        add(search, search->path, is_directory);
}

static void expand_literal(struct search *search, size_t used, const char *pattern, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (pattern[i] == '\\' && !(search->flags & GLOB_NOESCAPE) && i + 1 < length)
            i++;
        if (used + 1 >= sizeof search->path)
            return;
        search->path[used++] = pattern[i];
    }
    expand(search, used, pattern + length);
}

static void expand_directory(struct search *search, size_t used, const char *pattern, size_t length)
{
    char name_pattern[NAME_MAX + 1];
    if (length > NAME_MAX)
        return;
    memcpy(name_pattern, pattern, length);
    name_pattern[length] = '\0';
    search->path[used] = '\0';
    const char *path = used == 0 ? "." : search->path;
    DIR *directory = __opendir(path);
    if (directory == NULL) {
        int stop = search->on_error != NULL && search->on_error(path, errno);
        if (stop || (search->flags & GLOB_ERR))
            search->status = GLOB_ABORTED;
        return;
    }
    int flags = (search->flags & GLOB_PERIOD ? 0 : FNM_PERIOD) | (search->flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0);
    char name[NAME_MAX + 1];
    while (search->status == 0 && __symcrete_next_entry(directory, name, sizeof name) >= 0) {
        size_t name_length = strlen(name);
        if (__symcrete_fnmatch(name_pattern, name, flags) != 0
            || used + name_length + 1 >= sizeof search->path)
            continue;
        memcpy(search->path + used, name, name_length);
        expand(search, used + name_length, pattern + length);
    }
    __closedir(directory);
}

// The path so far has `used` bytes; the pattern is what is left.
static void expand(struct search *search, size_t used, const char *pattern)
{
    while (*pattern == '/' && used + 1 < sizeof search->path)
        search->path[used++] = *pattern++;
    if (*pattern == '\0') {
        search->path[used] = '\0';
        finish(search);
        return;
    }
    size_t length = strcspn(pattern, "/");
    if (has_magic(pattern, length, search->flags))
        expand_directory(search, used, pattern, length);
    else
        expand_literal(search, used, pattern, length);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void expand_and_sort(struct search *search, const char *pattern)
{
    glob_t *result = search->result;
    size_t offset = search->flags & GLOB_DOOFFS ? result->gl_offs : 0, before = result->gl_pathc;
    const char *home = getenv("HOME");
    size_t used = 0;
    if ((search->flags & (GLOB_TILDE | GLOB_TILDE_CHECK)) && pattern[0] == '~'
        && (pattern[1] == '/' || pattern[1] == '\0') && home != NULL && strlen(home) < sizeof search->path) {
        used = strlen(home);
        memcpy(search->path, home, used);
        pattern++;
    }
    expand(search, used, pattern);
    if (!(search->flags & GLOB_NOSORT) && result->gl_pathc > before)
        qsort(result->gl_pathv + offset + before, result->gl_pathc - before, sizeof *result->gl_pathv, by_name);
}

// The end of an alternative inside braces: a comma or the closing brace. Null if there is none.
static const char *end_of_alternative(const char *place)
{
    int depth = 0;
    for (; *place != '\0'; place++) {
        if (depth == 0 && (*place == ',' || *place == '}'))
            return place;
        depth += (*place == '{') - (*place == '}');
    }
    return NULL;
}

// Replaces the first braces by each of their alternatives.
static void expand_braces(struct search *search, const char *pattern)
{
    const char *open = strchr(pattern, '{');
    const char *place = open == NULL || !(search->flags & GLOB_BRACE) ? NULL : open + 1, *close = place;
    while (close != NULL && (close = end_of_alternative(close)) != NULL && *close == ',')
        close++;
    if (close == NULL) {
        expand_and_sort(search, pattern);
        return;
    }
    char *whole = malloc(strlen(pattern) + 1);
    if (whole == NULL) {
        search->status = GLOB_NOSPACE;
        return;
    }
    for (;; place++) {
        const char *end = end_of_alternative(place);
        size_t before = (size_t)(open - pattern), middle = (size_t)(end - place);
        memcpy(whole, pattern, before);
        memcpy(whole + before, place, middle);
        strcpy(whole + before + middle, close + 1);
        expand_braces(search, whole);
        place = end;
        if (end == close)
            break;
    }
    free(whole);
}

void globfree(glob_t *result)
{
    size_t offset = result->gl_flags & GLOB_DOOFFS ? result->gl_offs : 0;
    for (size_t i = 0; result->gl_pathv != NULL && i < result->gl_pathc; i++)
        free(result->gl_pathv[offset + i]);
    free(result->gl_pathv);
    result->gl_pathv = NULL;
    result->gl_pathc = 0;
}

int glob(const char *restrict pattern, int flags, int (*on_error)(const char *, int), glob_t *restrict result)
{
    struct search search = {.flags = flags, .on_error = on_error, .result = result};
    if (!(flags & GLOB_APPEND)) {
        result->gl_pathc = 0;
        result->gl_pathv = NULL;
        if (!(flags & GLOB_DOOFFS))
            result->gl_offs = 0;
    }
    result->gl_flags = flags;
    size_t before = result->gl_pathc;
    expand_braces(&search, pattern);
    if (search.status == 0 && result->gl_pathc == before) {
        int keep = (flags & GLOB_NOCHECK) || ((flags & GLOB_NOMAGIC) && !has_magic(pattern, strlen(pattern), flags));
        if (!keep)
            return GLOB_NOMATCH;
        add(&search, pattern, 0);
    }
    return search.status;
}
// The layout is the same; only the types of functions that nobody calls differ.
extern int glob64(const char *restrict pattern, int flags, int (*on_error)(const char *, int),
                  glob64_t *restrict result) __attribute__((alias("glob")));
extern void globfree64(glob64_t *result) __attribute__((alias("globfree")));
TIME64_ALIAS(__glob64_time64, glob);
TIME64_ALIAS(__globfree64_time64, globfree);
