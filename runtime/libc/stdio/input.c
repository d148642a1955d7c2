// Reading bytes, lines and blocks from streams, with and without "_unlocked" in the name: nothing here needs locks.
#include "stream.h"

// glibc's headers hide or redirect some of these.
char *gets(char *line);
int _IO_getc(FILE *file);
int _IO_feof(FILE *file);
int _IO_ferror(FILE *file);
#undef fread_unlocked

int fgetc(FILE *file)
{
    return stream_get(file);
}

int fgetc_unlocked(FILE *file)
{
    return stream_get(file);
}

int getc(FILE *file)
{
    return stream_get(file);
}

int getc_unlocked(FILE *file)
{
    return stream_get(file);
}

int _IO_getc(FILE *file)
{
    return stream_get(file);
}

int getchar(void)
{
    return stream_get(stdin);
}

int getchar_unlocked(void)
{
    return stream_get(stdin);
}

int getw(FILE *file)
{
    int word;
    return __stream_read(file, (char *)&word, sizeof word) == sizeof word ? word : EOF;
}

// Makes room in front of what the buffer holds unread. 0, or EOF.
static int make_room(FILE *file)
{
    if (__stream_give_buffer(file) != 0) {
        return EOF;
    }
    if (file->_IO_read_base == NULL) {
        __stream_forget_input(file);
    }
    struct stream *stream = stream_of(file);
    if (stream->has_room) {
        file->_IO_read_base = file->_IO_buf_base - PUSHBACK_SIZE;
        return 0;
    }
    file->_flags |= STREAM_IN_PUSHBACK;
    file->_IO_save_base = file->_IO_read_ptr;
    file->_IO_save_end = file->_IO_read_end;
    file->_IO_read_base = stream->pushback;
    file->_IO_read_ptr = file->_IO_read_end = stream->pushback + PUSHBACK_SIZE;
    return 0;
}

int __stream_push_back(int byte, FILE *file)
{
    if (byte == EOF) {
        return EOF;
    }
    if (file->_flags & STREAM_WRITING) {
        __underflow(file); // leaves writing
    }
    bool is_pushed_back = file->_flags & STREAM_IN_PUSHBACK;
    if (file->_IO_read_ptr == file->_IO_read_base && !is_pushed_back && make_room(file) != 0) {
        return EOF;
    }
    if (file->_IO_read_ptr == file->_IO_read_base) {
        return EOF;
    }
    *--file->_IO_read_ptr = (char)byte;
    file->_flags &= ~STREAM_AT_END;
    return (unsigned char)byte;
}

int ungetc(int byte, FILE *file)
{
    return __stream_push_back(byte, file);
}

size_t fread(void *bytes, size_t size, size_t count, FILE *file)
{
    size_t wanted = size * count;
    if (wanted == 0) {
        return 0;
    }
    size_t taken = __stream_read(file, bytes, wanted);
    return taken == wanted ? count : taken / size;
}

size_t fread_unlocked(void *bytes, size_t size, size_t count, FILE *file)
{
    size_t wanted = size * count;
    if (wanted == 0) {
        return 0;
    }
    size_t taken = __stream_read(file, bytes, wanted);
    return taken == wanted ? count : taken / size;
}

// The unread bytes of the buffer up to and with the delimiter, or all of them; `*found` says which.
static size_t run_length(const FILE *file, int delimiter, size_t limit, bool *found)
{
    size_t unread = (size_t)(file->_IO_read_end - file->_IO_read_ptr);
    size_t length = unread < limit ? unread : limit;
    const char *match = memchr(file->_IO_read_ptr, delimiter, length);
    *found = match != NULL;
    return *found ? (size_t)(match - file->_IO_read_ptr) + 1 : length;
}

char *__stream_read_line(char *line, int size, FILE *file)
{
    if (size <= 0) {
        return NULL;
    }
    size_t length = 0;
    size_t limit = (size_t)size - 1;
    int earlier_error = file->_flags & STREAM_ERROR;
    file->_flags &= ~STREAM_ERROR;
    bool found = false;
    while (!found && length < limit) {
        if (file->_IO_read_ptr >= file->_IO_read_end && __underflow(file) == EOF) {
            break;
        }
        size_t run = run_length(file, '\n', limit - length, &found);
        memcpy(line + length, file->_IO_read_ptr, run);
        file->_IO_read_ptr += run;
        length += run;
    }
    bool failed = file->_flags & STREAM_ERROR;
    file->_flags |= earlier_error;
    if (failed || (length == 0 && limit > 0)) {
        return NULL;
    }
    line[length] = '\0';
    return line;
}

char *fgets(char *line, int size, FILE *file)
{
    return __stream_read_line(line, size, file);
}

char *fgets_unlocked(char *line, int size, FILE *file)
{
    return __stream_read_line(line, size, file);
}

char *gets(char *line)
{
    size_t length = 0;
    int byte = stream_get(stdin);
    if (byte == EOF) {
        return NULL;
    }
    while (byte != EOF && byte != '\n') {
        line[length++] = (char)byte;
        byte = stream_get(stdin);
    }
    line[length] = '\0';
    return stdin->_flags & STREAM_ERROR ? NULL : line;
}

// Makes room for `needed` bytes in a line that getdelim grows.
static bool reserve(char **line, size_t *size, size_t needed)
{
    if (*line != NULL && needed <= *size) {
        return true;
    }
    size_t larger = *line == NULL || *size == 0 ? 120 : 2 * *size;
    if (larger < needed) {
        larger = needed;
    }
    char *grown = realloc(*line, larger);
    if (grown == NULL) {
        return false;
    }
    *line = grown;
    *size = larger;
    return true;
}

long __stream_read_until(char **line, size_t *size, int delimiter, FILE *file)
{
    if (line == NULL || size == NULL) {
        return __symcrete_fail(EINVAL);
    }
    if (*line == NULL) {
        *size = 0;
    }
    size_t length = 0;
    bool found = false;
    while (!found) {
        if (file->_IO_read_ptr >= file->_IO_read_end && __underflow(file) == EOF) {
            break;
        }
        size_t run = run_length(file, delimiter, SSIZE_MAX, &found);
        if (!reserve(line, size, length + run + 1)) {
            return -1;
        }
        memcpy(*line + length, file->_IO_read_ptr, run);
        file->_IO_read_ptr += run;
        length += run;
    }
    if (length == 0) {
        // A line to free is handed out even when there was nothing to read.
        reserve(line, size, 1);
        return -1;
    }
    (*line)[length] = '\0';
    return (long)length;
}

__ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    return __stream_read_until(line, size, delimiter, file);
}

__ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    return __stream_read_until(line, size, delimiter, file);
}

__ssize_t getline(char **line, size_t *size, FILE *file)
{
    return __stream_read_until(line, size, '\n', file);
}

int feof(FILE *file)
{
    return (file->_flags & STREAM_AT_END) != 0;
}

int feof_unlocked(FILE *file)
{
    return (file->_flags & STREAM_AT_END) != 0;
}

int _IO_feof(FILE *file)
{
    return (file->_flags & STREAM_AT_END) != 0;
}

int ferror(FILE *file)
{
    return (file->_flags & STREAM_ERROR) != 0;
}

int ferror_unlocked(FILE *file)
{
    return (file->_flags & STREAM_ERROR) != 0;
}

int _IO_ferror(FILE *file)
{
    return (file->_flags & STREAM_ERROR) != 0;
}

void clearerr(FILE *file)
{
    file->_flags &= ~(STREAM_AT_END | STREAM_ERROR);
}

void clearerr_unlocked(FILE *file)
{
    file->_flags &= ~(STREAM_AT_END | STREAM_ERROR);
}
