// The wscanf family: wide text and formats are turned to bytes, and scanf does the rest. Widths and %n count bytes, not characters.
#include "scan.h"

#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

// A wide text as bytes from malloc, or NULL.
static char *narrowed(const wchar_t *text)
{
    size_t room = wcslen(text) * MB_LEN_MAX + 1;
    char *bytes = malloc(room);
    if (bytes != NULL && wcstombs(bytes, text, room) == (size_t)-1) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static int scan_wide(struct source *source, enum scan_dialect dialect, const wchar_t *format, va_list arguments)
{
    char *narrow = narrowed(format);
    if (narrow == NULL) {
        return EOF;
    }
    int stored = __scan(source, dialect, narrow, arguments);
    free(narrow);
    return stored;
}

static int scan_wide_stream(FILE *file, enum scan_dialect dialect, const wchar_t *format, va_list arguments)
{
    struct source source = {.file = file};
    return scan_wide(&source, dialect, format, arguments);
}

static int scan_wide_text(const wchar_t *text, enum scan_dialect dialect, const wchar_t *format, va_list arguments)
{
    char *bytes = narrowed(text);
    if (bytes == NULL) {
        return EOF;
    }
    struct source source = {.text = bytes};
    int stored = scan_wide(&source, dialect, format, arguments);
    free(bytes);
    return stored;
}

// One set of names for each dialect, as in scanf.c.
#define WSCANF_FAMILY(tag, symbol, dialect)                                                                            \
    int tag##_wscanf(const wchar_t *, ...) __asm__(symbol "wscanf");                                                   \
    int tag##_fwscanf(FILE *, const wchar_t *, ...) __asm__(symbol "fwscanf");                                         \
    int tag##_swscanf(const wchar_t *, const wchar_t *, ...) __asm__(symbol "swscanf");                                \
    int tag##_vwscanf(const wchar_t *, va_list) __asm__(symbol "vwscanf");                                             \
    int tag##_vfwscanf(FILE *, const wchar_t *, va_list) __asm__(symbol "vfwscanf");                                   \
    int tag##_vswscanf(const wchar_t *, const wchar_t *, va_list) __asm__(symbol "vswscanf");                          \
                                                                                                                       \
    int tag##_wscanf(const wchar_t *format, ...)                                                                       \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_wide_stream(stdin, dialect, format, arguments);                                              \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }                                                                                                                  \
    int tag##_fwscanf(FILE *file, const wchar_t *format, ...)                                                          \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_wide_stream(file, dialect, format, arguments);                                               \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }                                                                                                                  \
    int tag##_swscanf(const wchar_t *text, const wchar_t *format, ...)                                                 \
    {                                                                                                                  \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        int stored = scan_wide_text(text, dialect, format, arguments);                                                 \
        va_end(arguments);                                                                                             \
        return stored;                                                                                                 \
    }                                                                                                                  \
    int tag##_vwscanf(const wchar_t *format, va_list arguments)                                                        \
    {                                                                                                                  \
        return scan_wide_stream(stdin, dialect, format, arguments);                                                    \
    }                                                                                                                  \
    int tag##_vfwscanf(FILE *file, const wchar_t *format, va_list arguments)                                           \
    {                                                                                                                  \
        return scan_wide_stream(file, dialect, format, arguments);                                                     \
    }                                                                                                                  \
    int tag##_vswscanf(const wchar_t *text, const wchar_t *format, va_list arguments)                                  \
    {                                                                                                                  \
        return scan_wide_text(text, dialect, format, arguments);                                                       \
    }

WSCANF_FAMILY(gnu, "", SCAN_GNU)
WSCANF_FAMILY(c99, "__isoc99_", SCAN_C99)
WSCANF_FAMILY(c23, "__isoc23_", SCAN_C23)
