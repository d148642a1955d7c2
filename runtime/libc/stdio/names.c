// File names: remove, rename, temporary files and their names; and perror.
#include "stream.h"

#include <fcntl.h>

char *tmpnam_r(char *name);

static int remove_path(const char *path)
{
    long answer = __symcrete_unlink(path);
    return (int)__symcrete_result(answer == -EISDIR ? __symcrete_rmdir(path) : answer);
}

int remove(const char *path)
{
    return remove_path(path);
}

int rename(const char *from, const char *to)
{
    return (int)__symcrete_result(__symcrete_rename(from, to));
}

int renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    return (int)__symcrete_result(__symcrete_renameat(from_directory, from, to_directory, to));
}

// Fills six places with letters that differ from call to call and repeat from run to run.
static void fill_unique(char *places)
{
    static unsigned calls;
    unsigned long long number = (unsigned long long)__symcrete_getpid() * 60466176ULL + calls++;
    for (int i = 5; i >= 0; i--) {
        places[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[number % 36];
        number /= 36;
    }
}

enum { NAME_ATTEMPTS = 100 };

// Makes a file (or a directory, if `open_flags` is negative) under a name that has XXXXXX before its suffix.
static long make_unique(char *name, int suffix_length, int open_flags)
{
    size_t length = strlen(name);
    if (suffix_length < 0 || length < (size_t)suffix_length + 6) {
        return -EINVAL;
    }
    char *places = name + length - (size_t)suffix_length - 6;
    if (memcmp(places, "XXXXXX", 6) != 0) {
        return -EINVAL;
    }
    long answer = -EEXIST;
    for (int attempt = 0; attempt < NAME_ATTEMPTS && answer == -EEXIST; attempt++) {
        fill_unique(places);
        answer = open_flags < 0 ? __symcrete_mkdir(name, 0700)
                                : __symcrete_open(name, open_flags | O_RDWR | O_CREAT | O_EXCL, 0600);
    }
    return answer;
}

int mkstemp(char *name)
{
    return (int)__symcrete_result(make_unique(name, 0, 0));
}

int mkstemp64(char *name)
{
    return (int)__symcrete_result(make_unique(name, 0, 0));
}

int mkostemp(char *name, int flags)
{
    return (int)__symcrete_result(make_unique(name, 0, flags & ~O_ACCMODE));
}

int mkostemp64(char *name, int flags)
{
    return (int)__symcrete_result(make_unique(name, 0, flags & ~O_ACCMODE));
}

int mkstemps(char *name, int suffix_length)
{
    return (int)__symcrete_result(make_unique(name, suffix_length, 0));
}

int mkstemps64(char *name, int suffix_length)
{
    return (int)__symcrete_result(make_unique(name, suffix_length, 0));
}

int mkostemps(char *name, int suffix_length, int flags)
{
    return (int)__symcrete_result(make_unique(name, suffix_length, flags & ~O_ACCMODE));
}

int mkostemps64(char *name, int suffix_length, int flags)
{
    return (int)__symcrete_result(make_unique(name, suffix_length, flags & ~O_ACCMODE));
}

char *mkdtemp(char *name)
{
    return __symcrete_result(make_unique(name, 0, -1)) < 0 ? NULL : name;
}

// Finds a name that nothing has; an empty string if there is none.
static char *free_name(char *name)
{
    size_t length = strlen(name);
    if (length < 6 || memcmp(name + length - 6, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        *name = '\0';
        return name;
    }
    for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
        fill_unique(name + length - 6);
        if (__symcrete_access(name, 0) == -ENOENT) {
            return name;
        }
    }
    *name = '\0';
    return name;
}

char *mktemp(char *name)
{
    return free_name(name);
}

static char *temporary_name(char *name)
{
    memcpy(name, P_tmpdir "/fileXXXXXX", sizeof P_tmpdir "/fileXXXXXX");
    return *free_name(name) == '\0' ? NULL : name;
}

char *tmpnam(char *name)
{
    static char own[L_tmpnam];
    return temporary_name(name != NULL ? name : own);
}

char *tmpnam_r(char *name)
{
    return name == NULL ? NULL : temporary_name(name);
}

// At most five bytes of the prefix count, as in glibc.
char *tempnam(const char *directory, const char *prefix)
{
    directory = directory != NULL ? directory : P_tmpdir;
    prefix = prefix != NULL ? prefix : "file";
    size_t directory_length = strlen(directory);
    size_t prefix_length = strlen(prefix) < 5 ? strlen(prefix) : 5;
    char *name = malloc(directory_length + prefix_length + sizeof "/XXXXXX");
    if (name == NULL) {
        return NULL;
    }
    memcpy(name, directory, directory_length);
    name[directory_length] = '/';
    memcpy(name + directory_length + 1, prefix, prefix_length);
    memcpy(name + directory_length + 1 + prefix_length, "XXXXXX", sizeof "XXXXXX");
    if (*free_name(name) == '\0') {
        free(name);
        return NULL;
    }
    return name;
}

static FILE *temporary_file(void)
{
    char name[] = P_tmpdir "/tmpfXXXXXX";
    long descriptor = make_unique(name, 0, 0);
    if (__symcrete_result(descriptor) < 0) {
        return NULL;
    }
    __symcrete_unlink(name);
    FILE *file = __stream_open_descriptor((int)descriptor, "w+");
    if (file == NULL) {
        __symcrete_close((int)descriptor);
    }
    return file;
}

FILE *tmpfile(void)
{
    return temporary_file();
}

FILE *tmpfile64(void)
{
    return temporary_file();
}

char *ctermid(char *name)
{
    static char own[L_ctermid];
    char *result = name != NULL ? name : own;
    memcpy(result, "/dev/tty", sizeof "/dev/tty");
    return result;
}

void perror(const char *prefix)
{
    const char *text = strerror(errno);
    if (prefix != NULL && *prefix != '\0') {
        __stream_write(stderr, prefix, strlen(prefix));
        __stream_write(stderr, ": ", 2);
    }
    __stream_write(stderr, text, strlen(text));
    __stream_write(stderr, "\n", 1);
}
