// The core of streams: the three standard ones, buffers, and the ways from a buffer to its source or sink and back.
#include "stream.h"

#include <sys/stat.h>

enum { LEAST_DIRECT_BLOCK = 128 };

// Buffers are never larger. That these two are there from the beginning keeps the heap of a program its own.
static char input_buffer[PUSHBACK_SIZE + BUFSIZ];
static char output_buffer[PUSHBACK_SIZE + BUFSIZ];

static struct stream standard_input = {
    .file = {._flags = STREAM_MAGIC | STREAM_LINKED | STREAM_NO_WRITES, ._fileno = 0},
    .operations = &__stream_descriptor_operations,
    .standard_buffer = input_buffer + PUSHBACK_SIZE,
    .has_room = true,
};
static struct stream standard_output = {
    .file = {._flags = STREAM_MAGIC | STREAM_LINKED | STREAM_NO_READS, ._fileno = 1, ._chain = &standard_input.file},
    .operations = &__stream_descriptor_operations,
    .standard_buffer = output_buffer + PUSHBACK_SIZE,
    .has_room = true,
};
static struct stream standard_error = {
    .file = {._flags = STREAM_MAGIC | STREAM_LINKED | STREAM_NO_READS | STREAM_UNBUFFERED,
             ._fileno = 2,
             ._chain = &standard_output.file},
    .operations = &__stream_descriptor_operations,
};

FILE *stdin = &standard_input.file;
FILE *stdout = &standard_output.file;
FILE *stderr = &standard_error.file;
FILE *__stream_list = &standard_error.file;

static int fail(FILE *file, int error)
{
    errno = error;
    file->_flags |= STREAM_ERROR;
    return EOF;
}

// As glibc does it: the block size of the file, at most BUFSIZ; a terminal makes the stream line-buffered.
static size_t preferred_buffer_size(FILE *file)
{
    struct symcrete_stat status;
    if (file->_fileno < 0 || __symcrete_fstat(file->_fileno, &status) < 0) {
        return file->_fileno < 0 ? 1024 : BUFSIZ;
    }
    if (S_ISCHR(status.mode) && __symcrete_isatty(file->_fileno) > 0) {
        file->_flags |= STREAM_LINE_BUFFERED;
    }
    return status.block_size > 0 && status.block_size < BUFSIZ ? (size_t)status.block_size : BUFSIZ;
}

int __stream_give_buffer(FILE *file)
{
    if (file->_IO_buf_base != NULL) {
        return 0;
    }
    struct stream *stream = stream_of(file);
    char *buffer = file->_shortbuf;
    size_t size = 1;
    bool ours = false;
    if (file->_flags & STREAM_UNBUFFERED) {
        stream->has_room = false;
    } else {
        size = preferred_buffer_size(file);
        buffer = stream->standard_buffer;
        if (buffer == NULL) {
            char *both = malloc(PUSHBACK_SIZE + size);
            if (both == NULL) {
                return fail(file, ENOMEM);
            }
            buffer = both + PUSHBACK_SIZE;
            ours = true;
        }
        stream->has_room = true;
    }
    if (ours) {
        file->_flags &= ~STREAM_USER_BUFFER;
    } else {
        file->_flags |= STREAM_USER_BUFFER;
    }
    file->_IO_buf_base = buffer;
    file->_IO_buf_end = buffer + size;
    return 0;
}

// Leaves the stream neither reading nor writing, and without a buffer.
void __stream_release_buffer(FILE *file)
{
    if (!(file->_flags & STREAM_USER_BUFFER)) {
        free(file->_IO_buf_base != NULL ? file->_IO_buf_base - PUSHBACK_SIZE : NULL);
    }
    file->_flags &= ~(STREAM_USER_BUFFER | STREAM_WRITING);
    file->_IO_buf_base = file->_IO_buf_end = NULL;
    file->_IO_write_base = file->_IO_write_ptr = file->_IO_write_end = NULL;
    __stream_forget_input(file);
}

void __stream_forget_input(FILE *file)
{
    file->_flags &= ~STREAM_IN_PUSHBACK;
    file->_IO_save_base = file->_IO_save_end = NULL;
    file->_IO_read_base = file->_IO_read_ptr = file->_IO_read_end = file->_IO_buf_base;
}

size_t __stream_unread(const FILE *file)
{
    size_t unread = (size_t)(file->_IO_read_end - file->_IO_read_ptr);
    if (file->_flags & STREAM_IN_PUSHBACK) {
        unread += (size_t)(file->_IO_save_end - file->_IO_save_base);
    }
    return unread;
}

// Writes past the buffer.
static int write_through(FILE *file, const char *bytes, size_t count)
{
    struct stream *stream = stream_of(file);
    if (stream->seeks_before_append) {
        stream->operations->seek(stream, 0, SEEK_END);
    }
    while (count > 0) {
        long written = stream->operations->write(stream, bytes, count);
        if (written <= 0) {
            return fail(file, written < 0 ? (int)-written : EIO);
        }
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

int __stream_flush(FILE *file)
{
    size_t pending = (size_t)(file->_IO_write_ptr - file->_IO_write_base);
    if (pending == 0) {
        return 0;
    }
    // What cannot be written is dropped, as glibc drops it.
    file->_IO_write_ptr = file->_IO_write_base;
    return write_through(file, file->_IO_write_base, pending);
}

int __stream_start_writing(FILE *file)
{
    if (file->_flags & STREAM_WRITING) {
        return 0;
    }
    if (file->_flags & STREAM_NO_WRITES) {
        return fail(file, EBADF);
    }
    bool unbuffered = file->_flags & STREAM_UNBUFFERED;
    if (!unbuffered && __stream_give_buffer(file) != 0) {
        return EOF;
    }
    // Output continues where the program has read to, not where the buffer has.
    long long unread = (long long)__stream_unread(file);
    if (unread > 0) {
        stream_of(file)->operations->seek(stream_of(file), -unread, SEEK_CUR);
    }
    __stream_forget_input(file);
    file->_flags |= STREAM_WRITING;
    if (unbuffered) {
        file->_IO_write_base = file->_IO_write_ptr = file->_IO_write_end = NULL;
        return 0;
    }
    file->_IO_write_base = file->_IO_write_ptr = file->_IO_buf_base;
    file->_IO_write_end = file->_flags & STREAM_LINE_BUFFERED ? file->_IO_buf_base : file->_IO_buf_end;
    return 0;
}

static int start_reading(FILE *file)
{
    if (file->_flags & STREAM_NO_READS) {
        return fail(file, EBADF);
    }
    if (__stream_give_buffer(file) != 0) {
        return EOF;
    }
    if (file->_flags & STREAM_WRITING) {
        int flushed = __stream_flush(file);
        file->_flags &= ~STREAM_WRITING;
        file->_IO_write_base = file->_IO_write_ptr = file->_IO_write_end = NULL;
        return flushed;
    }
    return 0;
}

// Reading from a terminal shows what was prompted on another.
static void flush_prompt(const FILE *file)
{
    if ((file->_flags & (STREAM_LINE_BUFFERED | STREAM_UNBUFFERED)) && (stdout->_flags & STREAM_LINE_BUFFERED)) {
        __stream_flush(stdout);
    }
}

// Reads from the source into `bytes`; a result of 0 has set the end or error indicator.
static size_t read_source(FILE *file, char *bytes, size_t count)
{
    flush_prompt(file);
    long taken = stream_of(file)->operations->read(stream_of(file), bytes, count);
    if (taken < 0) {
        fail(file, (int)-taken);
        return 0;
    }
    if (taken == 0) {
        file->_flags |= STREAM_AT_END;
    }
    return (size_t)taken;
}

// Goes back to what the buffer holds unread.
void __stream_leave_pushback(FILE *file)
{
    if (file->_flags & STREAM_IN_PUSHBACK) {
        file->_flags &= ~STREAM_IN_PUSHBACK;
        file->_IO_read_base = file->_IO_read_ptr = file->_IO_save_base;
        file->_IO_read_end = file->_IO_save_end;
        file->_IO_save_base = file->_IO_save_end = NULL;
    }
}

// The next byte, which stays unread, or EOF.
int __underflow(FILE *file)
{
    if (file->_IO_read_ptr < file->_IO_read_end) {
        return (unsigned char)*file->_IO_read_ptr;
    }
    if (file->_flags & STREAM_IN_PUSHBACK) {
        __stream_leave_pushback(file);
        return __underflow(file);
    }
    if ((file->_flags & STREAM_AT_END) || start_reading(file) != 0) {
        return EOF;
    }
    char *buffer = file->_IO_buf_base;
    size_t taken = read_source(file, buffer, (size_t)(file->_IO_buf_end - buffer));
    file->_IO_read_base = file->_IO_read_ptr = buffer;
    file->_IO_read_end = buffer + taken;
    return taken > 0 ? (unsigned char)*buffer : EOF;
}

int __uflow(FILE *file)
{
    int byte = __underflow(file);
    if (byte != EOF) {
        file->_IO_read_ptr++;
    }
    return byte;
}

// Writes one byte, or flushes if `byte` is EOF.
int __overflow(FILE *file, int byte)
{
    if (__stream_start_writing(file) != 0) {
        return EOF;
    }
    if (byte == EOF) {
        return __stream_flush(file);
    }
    if (file->_flags & STREAM_UNBUFFERED) {
        char alone = (char)byte;
        return write_through(file, &alone, 1) == 0 ? (unsigned char)byte : EOF;
    }
    if (file->_IO_write_ptr == file->_IO_buf_end && __stream_flush(file) != 0) {
        return EOF;
    }
    *file->_IO_write_ptr++ = (char)byte;
    if (file->_flags & STREAM_LINE_BUFFERED && byte == '\n' && __stream_flush(file) != 0) {
        return EOF;
    }
    return (unsigned char)byte;
}

// The length of the part of `bytes` that ends with its last newline; 0 without one.
static size_t whole_lines(const char *bytes, size_t count)
{
    while (count > 0 && bytes[count - 1] != '\n') {
        count--;
    }
    return count;
}

static void store(FILE *file, const char *bytes, size_t count)
{
    memcpy(file->_IO_write_ptr, bytes, count);
    file->_IO_write_ptr += count;
}

static size_t write_slowly(FILE *file, const char *bytes, size_t count)
{
    if (__stream_start_writing(file) != 0) {
        return 0;
    }
    if (file->_flags & STREAM_UNBUFFERED) {
        return write_through(file, bytes, count) == 0 ? count : 0;
    }
    bool by_lines = file->_flags & STREAM_LINE_BUFFERED;
    size_t room = (size_t)(file->_IO_buf_end - file->_IO_write_ptr);
    size_t first = count < room ? count : room;
    bool must_flush = count > room;
    if (by_lines && !must_flush) {
        size_t lines = whole_lines(bytes, count);
        must_flush = lines > 0;
        first = must_flush ? lines : count;
    }
    store(file, bytes, first);
    if (!must_flush) {
        return count;
    }
    if (__stream_flush(file) != 0) {
        return 0;
    }
    // Whole blocks do not go through the buffer.
    size_t done = first;
    size_t block = (size_t)(file->_IO_buf_end - file->_IO_buf_base);
    size_t direct = count - done - (block >= LEAST_DIRECT_BLOCK ? (count - done) % block : 0);
    if (direct > 0 && write_through(file, bytes + done, direct) != 0) {
        return done;
    }
    done += direct;
    for (; by_lines && done < count; done++) {
        if (__overflow(file, (unsigned char)bytes[done]) == EOF) {
            return done;
        }
    }
    store(file, bytes + done, count - done);
    return count;
}

// Returns how many bytes were accepted.
size_t __stream_write(FILE *file, const char *bytes, size_t count)
{
    if (count == 0) {
        return 0;
    }
    // Signed: a line-buffered stream has its write end before its write pointer.
    bool buffered = !(file->_flags & STREAM_UNBUFFERED);
    if (buffered && (ptrdiff_t)count <= file->_IO_write_end - file->_IO_write_ptr) {
        store(file, bytes, count);
        return count;
    }
    return write_slowly(file, bytes, count);
}

size_t __stream_read(FILE *file, char *bytes, size_t count)
{
    size_t done = 0;
    while (done < count) {
        size_t wanted = count - done;
        size_t unread = (size_t)(file->_IO_read_end - file->_IO_read_ptr);
        if (unread > 0) {
            size_t taken = wanted < unread ? wanted : unread;
            memcpy(bytes + done, file->_IO_read_ptr, taken);
            file->_IO_read_ptr += taken;
            done += taken;
            continue;
        }
        // Whole blocks do not go through the buffer, once it exists.
        size_t block = (size_t)(file->_IO_buf_end - file->_IO_buf_base);
        bool plain = file->_IO_buf_base != NULL && !(file->_flags & (STREAM_IN_PUSHBACK | STREAM_WRITING));
        if (plain && wanted >= block && !(file->_flags & (STREAM_AT_END | STREAM_NO_READS))) {
            size_t direct = wanted - (block >= LEAST_DIRECT_BLOCK ? wanted % block : 0);
            __stream_forget_input(file);
            size_t taken = read_source(file, bytes + done, direct);
            if (taken == 0) {
                break;
            }
            done += taken;
        } else if (__underflow(file) == EOF) {
            break;
        }
    }
    return done;
}

// Flushes every stream that has all of the wanted flags.
int __stream_flush_list(int wanted_flags)
{
    int result = 0;
    for (FILE *file = __stream_list; file != NULL; file = file->_chain) {
        if ((file->_flags & wanted_flags) == wanted_flags && __stream_flush(file) != 0) {
            result = EOF;
        }
    }
    return result;
}

void __symcrete_flush_all(void)
{
    __stream_flush_list(0);
}
