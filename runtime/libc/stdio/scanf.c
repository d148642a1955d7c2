// The public names of the scanf family: the traditional ones, and those that glibc's headers put in their place.
#include "scan.h"

static int scan_stream(FILE *file, enum scan_dialect dialect, const char *format, va_list arguments)
{
    struct source source = {.file = file};
    return __scan(&source, dialect, format, arguments);
}

static int scan_string(const char *text, enum scan_dialect dialect, const char *format, va_list arguments)
{
    struct source source = {.text = text};
    return __scan(&source, dialect, format, arguments);
}

// The headers give scanf the symbol of the dialect in force, so every symbol is named by hand, and `tag` only tells the
// functions apart in this file.
#define SCANF_FAMILY(tag, symbol, dialect)                                                                             \
    int tag##_scanf(const char *, ...) __asm__(symbol "scanf");                                                        \
    int tag##_fscanf(FILE *, const char *, ...) __asm__(symbol "fscanf");                                              \
    int tag##_sscanf(const char *, const char *, ...) __asm__(symbol "sscanf");                                        \
    int tag##_vscanf(const char *, va_list) __asm__(symbol "vscanf");                                                  \
    int tag##_vfscanf(FILE *, const char *, va_list) __asm__(symbol "vfscanf");                                        \
    int tag##_vsscanf(const char *, const char *, va_list) __asm__(symbol "vsscanf");                                  \
                                                                                                                       \
    int tag##_scanf(const char *format, ...)                                                                           \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_stream(stdin, dialect, format, arguments);                                                   \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }                                                                                                                  \
    int tag##_fscanf(FILE *file, const char *format, ...)                                                              \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_stream(file, dialect, format, arguments);                                                    \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }                                                                                                                  \
    int tag##_sscanf(const char *text, const char *format, ...)                                                        \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_string(text, dialect, format, arguments);                                                    \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }                                                                                                                  \
    int tag##_vscanf(const char *format, va_list arguments)                                                            \
    {                                                                                                                  \
        return scan_stream(stdin, dialect, format, arguments);                                                         \
    }                                                                                                                  \
    int tag##_vfscanf(FILE *file, const char *format, va_list arguments)                                               \
    {                                                                                                                  \
        return scan_stream(file, dialect, format, arguments);                                                          \
    }                                                                                                                  \
    int tag##_vsscanf(const char *text, const char *format, va_list arguments)                                         \
    {                                                                                                                  \
        return scan_string(text, dialect, format, arguments);                                                          \
    }

SCANF_FAMILY(gnu, "", SCAN_GNU)
SCANF_FAMILY(c99, "__isoc99_", SCAN_C99)
SCANF_FAMILY(c23, "__isoc23_", SCAN_C23)
