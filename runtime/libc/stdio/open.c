// Making and ending streams on descriptors: fopen, fdopen, freopen, fclose, and what they share with other streams.
#include "../pipe_signal.h"
#include "stream.h"

#include <fcntl.h>
#include <sys/stat.h>

static long read_descriptor(struct stream *stream, char *bytes, size_t count)
{
    return __symcrete_read(stream->file._fileno, bytes, count);
}

static long write_descriptor(struct stream *stream, const char *bytes, size_t count)
{
    return write_or_signal(stream->file._fileno, bytes, count);
}

static long long seek_descriptor(struct stream *stream, long long offset, int whence)
{
    return __symcrete_lseek(stream->file._fileno, offset, whence);
}

static long close_descriptor(struct stream *stream)
{
    return __symcrete_close(stream->file._fileno);
}

const struct stream_operations __stream_descriptor_operations = {
    .read = read_descriptor,
    .write = write_descriptor,
    .seek = seek_descriptor,
    .close = close_descriptor,
};

int __stream_mode(const char *mode, int *open_flags)
{
    int flags;
    int access;
    int extra = 0;
    switch (*mode) {
    case 'r':
        flags = STREAM_NO_WRITES;
        access = O_RDONLY;
        break;
    case 'w':
        flags = STREAM_NO_READS;
        access = O_WRONLY;
        extra = O_CREAT | O_TRUNC;
        break;
    case 'a':
        flags = STREAM_NO_READS | STREAM_APPENDING;
        access = O_WRONLY;
        extra = O_CREAT | O_APPEND;
        break;
    default:
        return __symcrete_fail(EINVAL);
    }
    for (int i = 1; i < 7 && mode[i] != '\0' && mode[i] != ','; i++) {
        if (mode[i] == '+') {
            flags &= STREAM_APPENDING;
            access = O_RDWR;
        } else if (mode[i] == 'x') {
            extra |= O_EXCL;
        } else if (mode[i] == 'e') {
            extra |= O_CLOEXEC;
        }
    }
    *open_flags = access | extra;
    return flags;
}

static void link_stream(FILE *file)
{
    if (!(file->_flags & STREAM_LINKED)) {
        file->_flags |= STREAM_LINKED;
        file->_chain = __stream_list;
        __stream_list = file;
    }
}

static void unlink_stream(FILE *file)
{
    for (FILE **link = &__stream_list; *link != NULL; link = &(*link)->_chain) {
        if (*link == file) {
            *link = file->_chain;
            break;
        }
    }
    file->_flags &= ~STREAM_LINKED;
    file->_chain = NULL;
}

struct stream *__stream_new(int flags, const struct stream_operations *operations, void *cookie)
{
    struct stream *stream = malloc(sizeof *stream);
    if (stream == NULL) {
        return NULL;
    }
    memset(stream, 0, sizeof *stream);
    stream->file._flags = STREAM_MAGIC | flags;
    stream->file._fileno = -1;
    stream->operations = operations;
    stream->cookie = cookie;
    stream->on_heap = true;
    link_stream(&stream->file);
    return stream;
}

// Opens the path: a descriptor at the place where the mode starts, or a negative errno.
static long open_path(const char *path, int flags, int open_flags)
{
    long descriptor = __symcrete_open(path, open_flags, 0666);
    if (descriptor >= 0 && (flags & STREAM_APPENDING) && (flags & STREAM_NO_READS)) {
        __symcrete_lseek((int)descriptor, 0, SEEK_END);
    }
    return descriptor;
}

FILE *__stream_open(const char *path, const char *mode)
{
    int open_flags;
    int flags = __stream_mode(mode, &open_flags);
    if (flags < 0) {
        return NULL;
    }
    long descriptor = open_path(path, flags, open_flags);
    if (__symcrete_result(descriptor) < 0) {
        return NULL;
    }
    struct stream *stream = __stream_new(flags, &__stream_descriptor_operations, NULL);
    if (stream == NULL) {
        __symcrete_close((int)descriptor);
        return NULL;
    }
    stream->file._fileno = (int)descriptor;
    return &stream->file;
}

FILE *__stream_open_descriptor(int descriptor, const char *mode)
{
    int open_flags;
    int flags = __stream_mode(mode, &open_flags);
    struct symcrete_stat status;
    if (flags < 0 || __symcrete_result(__symcrete_fstat(descriptor, &status)) < 0) {
        return NULL;
    }
    struct stream *stream = __stream_new(flags, &__stream_descriptor_operations, NULL);
    if (stream == NULL) {
        return NULL;
    }
    stream->file._fileno = descriptor;
    stream->seeks_before_append = flags & STREAM_APPENDING;
    return &stream->file;
}

// Flushes and leaves the stream as a closed one: every later transfer fails. With `keep_descriptor`, only forgets it.
static int detach(FILE *file, bool keep_descriptor)
{
    struct stream *stream = stream_of(file);
    int result = __stream_flush(file);
    if (!keep_descriptor && stream->operations->close != NULL) {
        long closed = stream->operations->close(stream);
        if (__symcrete_result(closed) < 0) {
            result = EOF;
        }
    }
    __stream_release_buffer(file);
    file->_flags = STREAM_MAGIC | STREAM_NO_READS | STREAM_NO_WRITES | (file->_flags & STREAM_LINKED);
    file->_fileno = -1;
    return result;
}

int __stream_close(FILE *file)
{
    unlink_stream(file);
    int result = detach(file, false);
    if (stream_of(file)->on_heap) {
        free(file);
    }
    return result;
}

static FILE *reopen(const char *path, const char *mode, FILE *file)
{
    int open_flags;
    int flags = __stream_mode(mode, &open_flags);
    int old = file->_fileno;
    bool had_descriptor = stream_of(file)->operations == &__stream_descriptor_operations && old >= 0;
    detach(file, had_descriptor);
    stream_of(file)->operations = &__stream_descriptor_operations;
    stream_of(file)->seeks_before_append = path == NULL && flags >= 0 && (flags & STREAM_APPENDING);
    long descriptor = old;
    if (flags < 0) {
        descriptor = -EINVAL;
    } else if (path != NULL) {
        descriptor = open_path(path, flags, open_flags);
    } else if (!had_descriptor) {
        descriptor = -EBADF;
    }
    // The stream keeps the number of its descriptor, so that standard streams stay what they are for the whole process.
    if (had_descriptor && descriptor >= 0 && descriptor != old) {
        long moved = __symcrete_dup2((int)descriptor, old);
        __symcrete_close((int)descriptor);
        descriptor = moved < 0 ? moved : old;
    }
    if (descriptor < 0) {
        if (had_descriptor) {
            __symcrete_close(old);
        }
        errno = (int)-descriptor;
        return NULL;
    }
    file->_flags = STREAM_MAGIC | flags | (file->_flags & STREAM_LINKED);
    file->_fileno = (int)descriptor;
    return file;
}

FILE *fopen(const char *path, const char *mode)
{
    return __stream_open(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    return __stream_open(path, mode);
}

FILE *fdopen(int descriptor, const char *mode)
{
    return __stream_open_descriptor(descriptor, mode);
}

FILE *freopen(const char *path, const char *mode, FILE *file)
{
    return reopen(path, mode, file);
}

FILE *freopen64(const char *path, const char *mode, FILE *file)
{
    return reopen(path, mode, file);
}

int fclose(FILE *file)
{
    return __stream_close(file);
}

int fcloseall(void)
{
    return __stream_flush_list(0);
}

int fileno(FILE *file)
{
    return file->_fileno >= 0 ? file->_fileno : __symcrete_fail(EBADF);
}

int fileno_unlocked(FILE *file)
{
    return file->_fileno >= 0 ? file->_fileno : __symcrete_fail(EBADF);
}

// Programs under test start no other programs.
FILE *popen(const char *command, const char *mode)
{
    (void)command;
    (void)mode;
    __symcrete_reaches_out("popen");
    errno = ENOSYS;
    return NULL;
}

int pclose(FILE *file)
{
    (void)file;
    return __symcrete_fail(ECHILD);
}
