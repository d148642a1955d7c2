// The position of a stream: fseek, ftell, rewind, fgetpos, fsetpos and their wider relatives.
#include "stream.h"

static long long seek_source(FILE *file, long long offset, int whence)
{
    struct stream *stream = stream_of(file);
    return stream->operations->seek == NULL ? -ESPIPE : stream->operations->seek(stream, offset, whence);
}

int __stream_seek(FILE *file, long long offset, int whence)
{
    if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) {
        return __symcrete_fail(EINVAL);
    }
    if (__stream_flush(file) != 0) {
        return -1;
    }
    if (whence == SEEK_CUR) {
        offset -= (long long)__stream_unread(file);
    }
    __stream_leave_pushback(file); // what was pushed back is gone, even if the move fails
    if (__symcrete_result(seek_source(file, offset, whence)) < 0) {
        return -1;
    }
    __stream_forget_input(file);
    file->_flags &= ~STREAM_AT_END;
    return 0;
}

long long __stream_tell(FILE *file)
{
    size_t pending = (size_t)(file->_IO_write_ptr - file->_IO_write_base);
    bool at_end = pending > 0 && (file->_flags & STREAM_APPENDING);
    long long position = __symcrete_result(seek_source(file, 0, at_end ? SEEK_END : SEEK_CUR));
    if (position < 0) {
        return -1;
    }
    position += (long long)pending - (long long)__stream_unread(file);
    return position < 0 ? 0 : position; // more was pushed back than had been read
}

// The position, if the caller's type can hold it.
static long narrow_tell(FILE *file)
{
    long long position = __stream_tell(file);
    return position == (long)position ? (long)position : __symcrete_fail(EOVERFLOW);
}

int fseek(FILE *file, long offset, int whence)
{
    return __stream_seek(file, offset, whence);
}

int fseeko(FILE *file, __off_t offset, int whence)
{
    return __stream_seek(file, offset, whence);
}

int fseeko64(FILE *file, __off64_t offset, int whence)
{
    return __stream_seek(file, offset, whence);
}

long ftell(FILE *file)
{
    return narrow_tell(file);
}

__off_t ftello(FILE *file)
{
    return narrow_tell(file);
}

__off64_t ftello64(FILE *file)
{
    return __stream_tell(file);
}

void rewind(FILE *file)
{
    __stream_seek(file, 0, SEEK_SET);
    file->_flags &= ~(STREAM_AT_END | STREAM_ERROR);
}

int fgetpos(FILE *file, fpos_t *position)
{
    memset(position, 0, sizeof *position);
    position->__pos = narrow_tell(file);
    return position->__pos < 0 ? -1 : 0;
}

int fgetpos64(FILE *file, fpos64_t *position)
{
    memset(position, 0, sizeof *position);
    position->__pos = __stream_tell(file);
    return position->__pos < 0 ? -1 : 0;
}

int fsetpos(FILE *file, const fpos_t *position)
{
    return __stream_seek(file, position->__pos, SEEK_SET);
}

int fsetpos64(FILE *file, const fpos64_t *position)
{
    return __stream_seek(file, position->__pos, SEEK_SET);
}
