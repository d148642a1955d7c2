// Writing bytes, strings and blocks to streams, with and without "_unlocked" in the name: nothing here needs locks.
#include "stream.h"

int _IO_putc(int byte, FILE *file);
int _IO_puts(const char *text);
#undef fwrite_unlocked

static int put_text(const char *text, FILE *file)
{
    size_t length = strlen(text);
    return __stream_write(file, text, length) == length ? 1 : EOF;
}

// Returns what glibc's puts returns: the length of the line.
static int put_line(const char *text)
{
    size_t length = strlen(text);
    if (__stream_write(stdout, text, length) != length || stream_put(stdout, '\n') == EOF) {
        return EOF;
    }
    return length < INT_MAX ? (int)length + 1 : INT_MAX;
}

static size_t put_blocks(const void *bytes, size_t size, size_t count, FILE *file)
{
    size_t wanted = size * count;
    if (wanted == 0) {
        return 0;
    }
    size_t written = __stream_write(file, bytes, wanted);
    return written == wanted ? count : written / size;
}

int fputc(int byte, FILE *file)
{
    return stream_put(file, byte);
}

int fputc_unlocked(int byte, FILE *file)
{
    return stream_put(file, byte);
}

int putc(int byte, FILE *file)
{
    return stream_put(file, byte);
}

int putc_unlocked(int byte, FILE *file)
{
    return stream_put(file, byte);
}

int _IO_putc(int byte, FILE *file)
{
    return stream_put(file, byte);
}

int putchar(int byte)
{
    return stream_put(stdout, byte);
}

int putchar_unlocked(int byte)
{
    return stream_put(stdout, byte);
}

int fputs(const char *text, FILE *file)
{
    return put_text(text, file);
}

int fputs_unlocked(const char *text, FILE *file)
{
    return put_text(text, file);
}

int puts(const char *text)
{
    return put_line(text);
}

int _IO_puts(const char *text)
{
    return put_line(text);
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file)
{
    return put_blocks(bytes, size, count, file);
}

size_t fwrite_unlocked(const void *bytes, size_t size, size_t count, FILE *file)
{
    return put_blocks(bytes, size, count, file);
}

int putw(int word, FILE *file)
{
    return __stream_write(file, (const char *)&word, sizeof word) == sizeof word ? 0 : EOF;
}
