// Where the printf family writes to: streams, descriptors, memory of a given size, and memory that grows.
#include "format.h"

enum { STAGE_SIZE = 1024 };

// The sink of a fully buffered stream is the stream's buffer itself.
static void drain_to_buffer(struct sink *sink, const char *bytes, size_t count)
{
    FILE *file = sink->file;
    file->_IO_write_ptr = sink->cursor;
    if (__stream_write(file, bytes, count) != count) {
        sink->failed = true;
    }
    sink->cursor = file->_IO_write_ptr;
    sink->room = (size_t)(file->_IO_write_end - file->_IO_write_ptr);
}

// Other streams are written to in as few pieces as possible, from an array on the stack.
static void empty_stage(struct sink *sink)
{
    size_t staged = (size_t)(sink->cursor - sink->start);
    if (staged > 0 && __stream_write(sink->file, sink->start, staged) != staged) {
        sink->failed = true;
    }
    sink->cursor = sink->start;
    sink->room = sink->capacity;
}

static void drain_stage(struct sink *sink, const char *bytes, size_t count)
{
    empty_stage(sink);
    if (count <= sink->room) {
        memcpy(sink->cursor, bytes, count);
        sink->cursor += count;
        sink->room -= count;
    } else if (!sink->failed && __stream_write(sink->file, bytes, count) != count) {
        sink->failed = true;
    }
}

static int print_staged(FILE *file, const char *format, va_list arguments)
{
    char stage[STAGE_SIZE];
    struct sink sink = {.cursor = stage,
                        .room = sizeof stage,
                        .start = stage,
                        .capacity = sizeof stage,
                        .drain = drain_stage,
                        .file = file};
    int result = __format(&sink, format, arguments);
    empty_stage(&sink);
    return sink.failed ? -1 : result;
}

int __format_to_stream(FILE *file, const char *format, va_list arguments)
{
    if (__stream_start_writing(file) != 0) {
        return -1;
    }
    if (file->_flags & (STREAM_LINE_BUFFERED | STREAM_UNBUFFERED)) {
        return print_staged(file, format, arguments);
    }
    struct sink sink = {.cursor = file->_IO_write_ptr,
                        .room = (size_t)(file->_IO_write_end - file->_IO_write_ptr),
                        .drain = drain_to_buffer,
                        .file = file};
    int result = __format(&sink, format, arguments);
    file->_IO_write_ptr = sink.cursor;
    return result;
}

int __format_to_descriptor(int descriptor, const char *format, va_list arguments)
{
    int flags = STREAM_MAGIC | STREAM_NO_READS | STREAM_UNBUFFERED;
    struct stream stream = {.file = {._flags = flags, ._fileno = descriptor},
                            .operations = &__stream_descriptor_operations};
    return __format_to_stream(&stream.file, format, arguments);
}

int __format_to_memory(char *bytes, size_t size, const char *format, va_list arguments)
{
    char nowhere; // without memory, nothing is stored, but there must be a place to store nothing at
    struct sink sink = {.cursor = size > 0 ? bytes : &nowhere, .room = size > 0 ? size - 1 : 0};
    int result = __format(&sink, format, arguments);
    if (size > 0) {
        *sink.cursor = '\0';
    }
    return result;
}

// Makes the memory larger by at least what is asked for.
static void drain_to_heap(struct sink *sink, const char *bytes, size_t count)
{
    if (sink->failed) {
        return;
    }
    size_t used = (size_t)(sink->cursor - sink->start);
    size_t larger = 2 * sink->capacity > used + count + 1 ? 2 * sink->capacity : used + count + 1;
    char *grown = realloc(sink->start, larger);
    if (grown == NULL) {
        sink->failed = true;
        return;
    }
    memcpy(grown + used, bytes, count);
    sink->start = grown;
    sink->capacity = larger;
    sink->cursor = grown + used + count;
    sink->room = larger - 1 - used - count;
}

int __format_to_heap(char **result, const char *format, va_list arguments)
{
    struct sink sink = {.drain = drain_to_heap, .capacity = 64};
    sink.start = sink.cursor = malloc(sink.capacity);
    if (sink.start == NULL) {
        return -1;
    }
    sink.room = sink.capacity - 1;
    int length = __format(&sink, format, arguments);
    char *fitted = length < 0 ? NULL : realloc(sink.start, (size_t)length + 1);
    if (fitted == NULL) {
        free(sink.start);
        return -1;
    }
    fitted[length] = '\0';
    *result = fitted;
    return length;
}
