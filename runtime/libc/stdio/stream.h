// What a stream is made of, and the operations on it that the files of this directory share. Formats are in format.h.
//
// A FILE is glibc's `struct _IO_FILE`, because programs compiled against glibc's headers read and move its pointers:
//   reading: [_IO_read_ptr, _IO_read_end) is unread input; empty while the stream is not reading.
//   writing: [_IO_write_base, _IO_write_ptr) is unwritten output; a byte may be stored directly while
//            _IO_write_ptr < _IO_write_end, so line-buffered streams have an end that equals the base, and unbuffered ones
//            have none of the three.
//   pushback: what ungetc gives back overwrites what was read, and then goes into the room in front of the buffer. A buffer
//            that is not ours has none: the read pointers stand in `pushback` then (STREAM_IN_PUSHBACK is set) and
//            [_IO_save_base, _IO_save_end) is the unread input of the buffer itself.
#ifndef SYMCRETE_STREAM_H
#define SYMCRETE_STREAM_H

#define _GNU_SOURCE
// Keeps out of the way what glibc's headers do to the names defined in this directory: inline functions, redirections.
#undef _FILE_OFFSET_BITS
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

// The bits of _flags, with the values that glibc gives them.
enum {
    STREAM_MAGIC = (int)0xFBAD0000,
    STREAM_USER_BUFFER = 0x1, // the buffer is not ours to free
    STREAM_UNBUFFERED = 0x2,
    STREAM_NO_READS = 0x4,
    STREAM_NO_WRITES = 0x8,
    STREAM_AT_END = 0x10,
    STREAM_ERROR = 0x20,
    STREAM_LINKED = 0x80,
    STREAM_IN_PUSHBACK = 0x100,
    STREAM_LINE_BUFFERED = 0x200,
    STREAM_WRITING = 0x800,
    STREAM_APPENDING = 0x1000,
};

struct stream;

// Where the bytes of a stream come from and go to. Each answers a negative errno on failure.
struct stream_operations {
    long (*read)(struct stream *stream, char *bytes, size_t count);
    long (*write)(struct stream *stream, const char *bytes, size_t count);
    long long (*seek)(struct stream *stream, long long offset, int whence);
    long (*close)(struct stream *stream);
};

enum { PUSHBACK_SIZE = 16 };

struct stream {
    struct _IO_FILE file; // first, so that a FILE pointer is a pointer to the whole
    const struct stream_operations *operations;
    void *cookie;             // what the operations work on, if not the descriptor
    char *standard_buffer;    // the buffer that a standard stream uses before it asks malloc for a larger one
    bool on_heap;             // the stream itself came from malloc
    bool seeks_before_append; // the descriptor may lack O_APPEND
    bool has_room;            // PUSHBACK_SIZE bytes in front of the buffer
    char pushback[PUSHBACK_SIZE];
};

extern const struct stream_operations __stream_descriptor_operations;
extern FILE *__stream_list; // all open streams, linked by _chain, the newest first

// stream.c
int __stream_give_buffer(FILE *file); // 0, or EOF
void __stream_release_buffer(FILE *file);
void __stream_forget_input(FILE *file);
void __stream_leave_pushback(FILE *file);
size_t __stream_unread(const FILE *file); // bytes of input that were fetched, or pushed back, and not read
int __stream_start_writing(FILE *file); // 0, or EOF
int __stream_flush(FILE *file);         // 0, or EOF
size_t __stream_write(FILE *file, const char *bytes, size_t count);
size_t __stream_read(FILE *file, char *bytes, size_t count);
int __stream_flush_list(int wanted_flags);
int __underflow(FILE *file);
int __uflow(FILE *file);
int __overflow(FILE *file, int byte);

// open.c
struct stream *__stream_new(int flags, const struct stream_operations *operations, void *cookie);
int __stream_mode(const char *mode, int *open_flags); // the bits of _flags for a mode string, or -1 with errno
int __stream_adopt(FILE *file, int descriptor, const char *mode);
int __stream_close(FILE *file);
FILE *__stream_open(const char *path, const char *mode);
FILE *__stream_open_descriptor(int descriptor, const char *mode);

// position.c, input.c
int __stream_seek(FILE *file, long long offset, int whence);
long long __stream_tell(FILE *file);
long __stream_read_until(char **line, size_t *size, int delimiter, FILE *file);
int __stream_push_back(int byte, FILE *file); // ungetc
char *__stream_read_line(char *line, int size, FILE *file);

static inline struct stream *stream_of(FILE *file)
{
    return (struct stream *)file;
}

static inline int stream_get(FILE *file)
{
    if (file->_IO_read_ptr < file->_IO_read_end) {
        return (unsigned char)*file->_IO_read_ptr++;
    }
    return __uflow(file);
}

static inline int stream_put(FILE *file, int byte)
{
    if (file->_IO_write_ptr < file->_IO_write_end) {
        *file->_IO_write_ptr++ = (char)byte;
        return (unsigned char)byte;
    }
    return __overflow(file, (unsigned char)byte);
}

#endif
