// What a program may ask of a stream's buffer: setvbuf, fflush, locks (there are none), and <stdio_ext.h>.
#include "stream.h"

#include <stdio_ext.h>

// Gives a stream that reads ahead back to its source: the next reader of the descriptor gets what was not read.
static int give_back_input(FILE *file)
{
    long long unread = (long long)__stream_unread(file);
    if (unread == 0) {
        return 0;
    }
    struct stream *stream = stream_of(file);
    long long answer = stream->operations->seek == NULL ? -ESPIPE : stream->operations->seek(stream, -unread, SEEK_CUR);
    if (answer == -ESPIPE) {
        return 0; // nothing can be given back to a pipe, and nothing is lost
    }
    if (__symcrete_result(answer) < 0) {
        return EOF;
    }
    __stream_forget_input(file);
    return 0;
}

static int flush(FILE *file)
{
    if (file == NULL) {
        return __stream_flush_list(0);
    }
    return file->_flags & STREAM_WRITING ? __stream_flush(file) : give_back_input(file);
}

int fflush(FILE *file)
{
    return flush(file);
}

int fflush_unlocked(FILE *file)
{
    return flush(file);
}

// Puts the stream into a state from which either direction starts anew, under the buffering that its flags now say.
static void restart(FILE *file)
{
    file->_flags &= ~STREAM_WRITING;
    file->_IO_write_base = file->_IO_write_ptr = file->_IO_write_end = NULL;
}

static int set_buffer(FILE *file, char *buffer, int mode, size_t size)
{
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF) {
        return EOF;
    }
    if (flush(file) != 0) {
        return EOF;
    }
    if (mode == _IOFBF && buffer == NULL && !(file->_flags & STREAM_UNBUFFERED) && __stream_give_buffer(file) != 0) {
        return EOF; // made now, because making it later could turn on line buffering
    }
    restart(file);
    bool was_unbuffered = file->_flags & STREAM_UNBUFFERED;
    file->_flags &= ~(STREAM_LINE_BUFFERED | STREAM_UNBUFFERED);
    if (mode == _IOLBF) {
        file->_flags |= STREAM_LINE_BUFFERED;
    } else if (mode == _IONBF) {
        file->_flags |= STREAM_UNBUFFERED;
    }
    bool own_buffer = mode != _IONBF && buffer != NULL && size > 0;
    bool replace = own_buffer || mode == _IONBF || was_unbuffered;
    if (replace && __stream_unread(file) == 0) {
        __stream_release_buffer(file);
        if (own_buffer) {
            file->_flags |= STREAM_USER_BUFFER;
            stream_of(file)->has_room = false;
            file->_IO_buf_base = buffer;
            file->_IO_buf_end = buffer + size;
            __stream_forget_input(file);
        }
    }
    return 0;
}

int setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
    return set_buffer(file, buffer, mode, size);
}

void setbuf(FILE *file, char *buffer)
{
    set_buffer(file, buffer, buffer != NULL ? _IOFBF : _IONBF, BUFSIZ);
}

void setbuffer(FILE *file, char *buffer, size_t size)
{
    set_buffer(file, buffer, buffer != NULL ? _IOFBF : _IONBF, size);
}

void setlinebuf(FILE *file)
{
    set_buffer(file, NULL, _IOLBF, 0);
}

void flockfile(FILE *file)
{
    (void)file;
}

int ftrylockfile(FILE *file)
{
    (void)file;
    return 0;
}

void funlockfile(FILE *file)
{
    (void)file;
}

size_t __fbufsize(FILE *file)
{
    return (size_t)(file->_IO_buf_end - file->_IO_buf_base);
}

int __freading(FILE *file)
{
    bool may_have_read = !(file->_flags & (STREAM_WRITING | STREAM_NO_READS)) && file->_IO_read_base != NULL;
    return (file->_flags & STREAM_NO_WRITES) || may_have_read;
}

int __fwriting(FILE *file)
{
    return (file->_flags & (STREAM_NO_READS | STREAM_WRITING)) != 0;
}

int __freadable(FILE *file)
{
    return (file->_flags & STREAM_NO_READS) == 0;
}

int __fwritable(FILE *file)
{
    return (file->_flags & STREAM_NO_WRITES) == 0;
}

int __flbf(FILE *file)
{
    return (file->_flags & STREAM_LINE_BUFFERED) != 0;
}

void __fpurge(FILE *file)
{
    file->_IO_write_ptr = file->_IO_write_base;
    __stream_forget_input(file);
}

size_t __fpending(FILE *file)
{
    return (size_t)(file->_IO_write_ptr - file->_IO_write_base);
}

void _flushlbf(void)
{
    __stream_flush_list(STREAM_LINE_BUFFERED);
}

int __fsetlocking(FILE *file, int type)
{
    (void)file;
    (void)type;
    return FSETLOCKING_INTERNAL;
}
