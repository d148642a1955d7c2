// What _FORTIFY_SOURCE turns stdio calls into: the plain work, after a check of the destination's size if it is known.
#include "format.h"

_Noreturn void __chk_fail(void);

int __printf_chk(int level, const char *format, ...);
int __fprintf_chk(FILE *file, int level, const char *format, ...);
int __sprintf_chk(char *bytes, int level, size_t known_size, const char *format, ...);
int __snprintf_chk(char *bytes, size_t size, int level, size_t known_size, const char *format, ...);
int __dprintf_chk(int descriptor, int level, const char *format, ...);
int __asprintf_chk(char **text, int level, const char *format, ...);
int __vprintf_chk(int level, const char *format, va_list arguments);
int __vfprintf_chk(FILE *file, int level, const char *format, va_list arguments);
int __vsprintf_chk(char *bytes, int level, size_t known_size, const char *format, va_list arguments);
int __vsnprintf_chk(char *bytes, size_t size, int level, size_t known_size, const char *format, va_list arguments);
int __vdprintf_chk(int descriptor, int level, const char *format, va_list arguments);
int __vasprintf_chk(char **text, int level, const char *format, va_list arguments);
char *__fgets_chk(char *line, size_t known_size, int size, FILE *file);
char *__fgets_unlocked_chk(char *line, size_t known_size, int size, FILE *file);
size_t __fread_chk(void *bytes, size_t known_size, size_t size, size_t count, FILE *file);
size_t __fread_unlocked_chk(void *bytes, size_t known_size, size_t size, size_t count, FILE *file);
char *__gets_chk(char *line, size_t known_size);

int __vprintf_chk(int level, const char *format, va_list arguments)
{
    (void)level;
    return __format_to_stream(stdout, format, arguments);
}

int __vfprintf_chk(FILE *file, int level, const char *format, va_list arguments)
{
    (void)level;
    return __format_to_stream(file, format, arguments);
}

int __vsprintf_chk(char *bytes, int level, size_t known_size, const char *format, va_list arguments)
{
    (void)level;
    if (known_size == 0) {
        __chk_fail();
    }
    int length = __format_to_memory(bytes, known_size, format, arguments);
    if (length >= 0 && (size_t)length >= known_size) {
        __chk_fail();
    }
    return length;
}

int __vsnprintf_chk(char *bytes, size_t size, int level, size_t known_size, const char *format, va_list arguments)
{
    (void)level;
    if (known_size < size) {
        __chk_fail();
    }
    return __format_to_memory(bytes, size, format, arguments);
}

int __vdprintf_chk(int descriptor, int level, const char *format, va_list arguments)
{
    (void)level;
    return __format_to_descriptor(descriptor, format, arguments);
}

int __vasprintf_chk(char **text, int level, const char *format, va_list arguments)
{
    (void)level;
    return __format_to_heap(text, format, arguments);
}

int __printf_chk(int level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __vprintf_chk(level, format, arguments);
    va_end(arguments);
    return length;
}

int __fprintf_chk(FILE *file, int level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __vfprintf_chk(file, level, format, arguments);
    va_end(arguments);
    return length;
}

int __sprintf_chk(char *bytes, int level, size_t known_size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __vsprintf_chk(bytes, level, known_size, format, arguments);
    va_end(arguments);
    return length;
}

int __snprintf_chk(char *bytes, size_t size, int level, size_t known_size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __vsnprintf_chk(bytes, size, level, known_size, format, arguments);
    va_end(arguments);
    return length;
}

int __dprintf_chk(int descriptor, int level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __vdprintf_chk(descriptor, level, format, arguments);
    va_end(arguments);
    return length;
}

int __asprintf_chk(char **text, int level, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = __vasprintf_chk(text, level, format, arguments);
    va_end(arguments);
    return length;
}

char *__fgets_chk(char *line, size_t known_size, int size, FILE *file)
{
    if (size > 0 && (size_t)size > known_size) {
        __chk_fail();
    }
    return __stream_read_line(line, size, file);
}

char *__fgets_unlocked_chk(char *line, size_t known_size, int size, FILE *file)
{
    return __fgets_chk(line, known_size, size, file);
}

size_t __fread_chk(void *bytes, size_t known_size, size_t size, size_t count, FILE *file)
{
    size_t wanted;
    if (__builtin_mul_overflow(size, count, &wanted) || wanted > known_size) {
        __chk_fail();
    }
    if (wanted == 0) {
        return 0;
    }
    size_t taken = __stream_read(file, bytes, wanted);
    return taken == wanted ? count : taken / size;
}

size_t __fread_unlocked_chk(void *bytes, size_t known_size, size_t size, size_t count, FILE *file)
{
    return __fread_chk(bytes, known_size, size, count, file);
}

char *__gets_chk(char *line, size_t known_size)
{
    size_t length = 0;
    int byte = stream_get(stdin);
    if (byte == EOF) {
        return NULL;
    }
    while (byte != EOF && byte != '\n') {
        if (length + 1 >= known_size) {
            __chk_fail();
        }
        line[length++] = (char)byte;
        byte = stream_get(stdin);
    }
    line[length] = '\0';
    return stdin->_flags & STREAM_ERROR ? NULL : line;
}
