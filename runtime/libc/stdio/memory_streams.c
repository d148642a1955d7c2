// Streams that are not on descriptors: fmemopen, open_memstream, fopencookie.
#include "stream.h"

// Where a move to `offset` from `whence` ends, or -EINVAL; `position` and `length` are the current ones.
static long long moved(long long position, long long length, long long offset, int whence)
{
    long long base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? position : length;
    long long target = base + offset;
    return target < 0 ? -EINVAL : target;
}

// A fixed piece of memory: [0, length) of [0, size) holds data.
struct fixed_memory {
    char *bytes;
    size_t size, position, length;
    bool appends;
    bool owned; // the bytes came from malloc here
};

static long read_fixed(struct stream *stream, char *bytes, size_t count)
{
    struct fixed_memory *memory = stream->cookie;
    size_t left = memory->position < memory->length ? memory->length - memory->position : 0;
    size_t taken = count < left ? count : left;
    memcpy(bytes, memory->bytes + memory->position, taken);
    memory->position += taken;
    return (long)taken;
}

// Data that grows is followed by a NUL where one fits.
static long write_fixed(struct stream *stream, const char *bytes, size_t count)
{
    struct fixed_memory *memory = stream->cookie;
    size_t position = memory->appends ? memory->length : memory->position;
    bool terminate = count == 0 || bytes[count - 1] != '\0';
    size_t room = position < memory->size ? memory->size - position : 0;
    if (count > room) {
        // glibc asks for room at the position even when appending elsewhere.
        if (memory->position + terminate >= memory->size) {
            return -ENOSPC;
        }
        count = room;
    }
    memcpy(memory->bytes + position, bytes, count);
    memory->position = position + count;
    if (memory->position > memory->length) {
        memory->length = memory->position;
        if (terminate && memory->length < memory->size) {
            memory->bytes[memory->length] = '\0';
        } else if (terminate && !memory->appends) {
            memory->bytes[memory->size - 1] = '\0';
        }
    }
    return (long)count;
}

static long long seek_fixed(struct stream *stream, long long offset, int whence)
{
    struct fixed_memory *memory = stream->cookie;
    long long target = moved((long long)memory->position, (long long)memory->length, offset, whence);
    if (target < 0 || (unsigned long long)target > memory->size) {
        return -EINVAL;
    }
    memory->position = (size_t)target;
    return target;
}

static long close_fixed(struct stream *stream)
{
    struct fixed_memory *memory = stream->cookie;
    if (memory->owned) {
        free(memory->bytes);
    }
    free(memory);
    return 0;
}

static const struct stream_operations fixed_operations = {
    .read = read_fixed, .write = write_fixed, .seek = seek_fixed, .close = close_fixed};

FILE *fmemopen(void *bytes, size_t size, const char *mode)
{
    int open_flags;
    int flags = __stream_mode(mode, &open_flags);
    struct fixed_memory *memory = flags < 0 ? NULL : malloc(sizeof *memory);
    if (memory == NULL) {
        return NULL;
    }
    memset(memory, 0, sizeof *memory);
    memory->size = size;
    memory->appends = flags & STREAM_APPENDING;
    memory->owned = bytes == NULL;
    memory->bytes = memory->owned ? malloc(size > 0 ? size : 1) : bytes;
    struct stream *stream = memory->bytes == NULL ? NULL : __stream_new(flags, &fixed_operations, memory);
    if (stream == NULL) {
        if (memory->owned) {
            free(memory->bytes);
        }
        free(memory);
        return NULL;
    }
    bool truncates = *mode == 'w' && !(flags & STREAM_NO_READS); // glibc leaves the memory as it is for plain "w"
    if (size > 0 && (memory->owned || truncates)) {
        memory->bytes[0] = '\0';
    }
    if (*mode == 'r') {
        memory->length = size;
    } else if (memory->appends) {
        const char *end = memchr(memory->bytes, '\0', size);
        memory->length = end == NULL ? size : (size_t)(end - memory->bytes);
        memory->position = memory->length;
    }
    return &stream->file;
}

// A piece of memory that grows, and that the program is told of at every flush.
struct growing_memory {
    char *bytes;
    size_t capacity, position, length; // capacity leaves room for a NUL after the data
    char **told_bytes;
    size_t *told_size;
};

static bool reserve(struct growing_memory *memory, size_t needed)
{
    if (needed <= memory->capacity) {
        return true;
    }
    size_t larger = needed > 2 * memory->capacity ? needed : 2 * memory->capacity;
    char *grown = realloc(memory->bytes, larger);
    if (grown == NULL) {
        return false;
    }
    memory->bytes = grown;
    memory->capacity = larger;
    return true;
}

// The program sees the data up to the position, and a NUL after all of it.
static void tell(struct growing_memory *memory)
{
    *memory->told_bytes = memory->bytes;
    *memory->told_size = memory->position;
}

static long write_growing(struct stream *stream, const char *bytes, size_t count)
{
    struct growing_memory *memory = stream->cookie;
    size_t end = memory->position + count;
    if (!reserve(memory, end + 1)) {
        return -ENOMEM;
    }
    if (memory->position > memory->length) {
        memset(memory->bytes + memory->length, 0, memory->position - memory->length);
    }
    memcpy(memory->bytes + memory->position, bytes, count);
    memory->position = end;
    if (end > memory->length) {
        memory->length = end;
        memory->bytes[end] = '\0';
    }
    tell(memory);
    return (long)count;
}

static long long seek_growing(struct stream *stream, long long offset, int whence)
{
    struct growing_memory *memory = stream->cookie;
    long long target = moved((long long)memory->position, (long long)memory->length, offset, whence);
    if (target < 0) {
        return target;
    }
    memory->position = (size_t)target;
    tell(memory);
    return target;
}

static long close_growing(struct stream *stream)
{
    struct growing_memory *memory = stream->cookie;
    char *fitted = realloc(memory->bytes, memory->length + 1);
    if (fitted != NULL) {
        memory->bytes = fitted;
    }
    tell(memory);
    free(memory);
    return 0;
}

static const struct stream_operations growing_operations = {
    .write = write_growing, .seek = seek_growing, .close = close_growing};

FILE *open_memstream(char **bytes, size_t *size)
{
    struct growing_memory *memory = malloc(sizeof *memory);
    if (memory == NULL) {
        return NULL;
    }
    memset(memory, 0, sizeof *memory);
    memory->told_bytes = bytes;
    memory->told_size = size;
    struct stream *stream = NULL;
    if (reserve(memory, 1)) {
        memory->bytes[0] = '\0';
        stream = __stream_new(STREAM_NO_READS, &growing_operations, memory);
    }
    if (stream == NULL) {
        free(memory->bytes);
        free(memory);
        return NULL;
    }
    tell(memory);
    return &stream->file;
}

struct foreign {
    void *cookie;
    cookie_io_functions_t functions;
};

static long read_foreign(struct stream *stream, char *bytes, size_t count)
{
    struct foreign *foreign = stream->cookie;
    if (foreign->functions.read == NULL) {
        return -EBADF;
    }
    long taken = foreign->functions.read(foreign->cookie, bytes, count);
    return taken < 0 ? -errno : taken;
}

static long write_foreign(struct stream *stream, const char *bytes, size_t count)
{
    struct foreign *foreign = stream->cookie;
    if (foreign->functions.write == NULL) {
        return -EBADF;
    }
    long written = foreign->functions.write(foreign->cookie, bytes, count);
    return written <= 0 ? -errno : written;
}

static long long seek_foreign(struct stream *stream, long long offset, int whence)
{
    struct foreign *foreign = stream->cookie;
    __off64_t position = offset;
    if (foreign->functions.seek == NULL) {
        return -ESPIPE;
    }
    return foreign->functions.seek(foreign->cookie, &position, whence) < 0 ? -errno : position;
}

static long close_foreign(struct stream *stream)
{
    struct foreign *foreign = stream->cookie;
    int result = foreign->functions.close == NULL ? 0 : foreign->functions.close(foreign->cookie);
    free(foreign);
    return result < 0 ? -errno : 0;
}

static const struct stream_operations foreign_operations = {
    .read = read_foreign, .write = write_foreign, .seek = seek_foreign, .close = close_foreign};

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    int open_flags;
    int flags = __stream_mode(mode, &open_flags);
    struct foreign *foreign = flags < 0 ? NULL : malloc(sizeof *foreign);
    if (foreign == NULL) {
        return NULL;
    }
    foreign->cookie = cookie;
    foreign->functions = functions;
    struct stream *stream = __stream_new(flags, &foreign_operations, foreign);
    if (stream == NULL) {
        free(foreign);
        return NULL;
    }
    return &stream->file;
}
