// Wide-character stdio: each character is converted on its way to or from an ordinary stream; orientation is ignored.
#include "format.h"

#include <wchar.h>

static wint_t put_wide(wchar_t character, FILE *file)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t length = wcrtomb(bytes, character, &state);
    if (length == (size_t)-1) {
        file->_flags |= STREAM_ERROR;
        return WEOF;
    }
    return __stream_write(file, bytes, length) == length ? (wint_t)character : WEOF;
}

static wint_t get_wide(FILE *file)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t length = (size_t)-2;
    wchar_t character = 0;
    while (length == (size_t)-2) {
        int byte = stream_get(file);
        if (byte == EOF) {
            return WEOF;
        }
        char next = (char)byte;
        length = mbrtowc(&character, &next, 1, &state);
    }
    if (length == (size_t)-1) {
        file->_flags |= STREAM_ERROR;
        return WEOF;
    }
    return (wint_t)character;
}

wint_t fputwc(wchar_t character, FILE *file)
{
    return put_wide(character, file);
}

wint_t fputwc_unlocked(wchar_t character, FILE *file)
{
    return put_wide(character, file);
}

wint_t putwc(wchar_t character, FILE *file)
{
    return put_wide(character, file);
}

wint_t putwc_unlocked(wchar_t character, FILE *file)
{
    return put_wide(character, file);
}

wint_t putwchar(wchar_t character)
{
    return put_wide(character, stdout);
}

wint_t putwchar_unlocked(wchar_t character)
{
    return put_wide(character, stdout);
}

int fputws(const wchar_t *text, FILE *file)
{
    for (; *text != 0; text++) {
        if (put_wide(*text, file) == WEOF) {
            return -1;
        }
    }
    return 1;
}

wint_t fgetwc(FILE *file)
{
    return get_wide(file);
}

wint_t fgetwc_unlocked(FILE *file)
{
    return get_wide(file);
}

wint_t getwc(FILE *file)
{
    return get_wide(file);
}

wint_t getwc_unlocked(FILE *file)
{
    return get_wide(file);
}

wint_t getwchar(void)
{
    return get_wide(stdin);
}

wint_t getwchar_unlocked(void)
{
    return get_wide(stdin);
}

wchar_t *fgetws(wchar_t *line, int size, FILE *file)
{
    int length = 0;
    while (length < size - 1) {
        wint_t character = get_wide(file);
        if (character == WEOF) {
            break;
        }
        line[length++] = (wchar_t)character;
        if (character == L'\n') {
            break;
        }
    }
    if (size <= 0 || (length == 0 && size > 1)) {
        return NULL;
    }
    line[length] = 0;
    return line;
}

wint_t ungetwc(wint_t character, FILE *file)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t length = character == WEOF ? (size_t)-1 : wcrtomb(bytes, (wchar_t)character, &state);
    if (length == (size_t)-1) {
        return WEOF;
    }
    while (length > 0) {
        if (__stream_push_back((unsigned char)bytes[--length], file) == EOF) {
            return WEOF;
        }
    }
    return character;
}

int fwide(FILE *file, int mode)
{
    if (file->_mode == 0) {
        file->_mode = mode > 0 ? 1 : mode < 0 ? -1 : 0;
    }
    return file->_mode;
}

// The formatted text as bytes from malloc, or NULL. Widths and precisions count bytes, not characters.
static char *format_bytes(const wchar_t *format, va_list arguments)
{
    size_t room = wcslen(format) * MB_LEN_MAX + 1;
    char *narrow = malloc(room);
    char *text = NULL;
    if (narrow != NULL && wcstombs(narrow, format, room) != (size_t)-1 &&
        __format_to_heap(&text, narrow, arguments) < 0) {
        text = NULL;
    }
    free(narrow);
    return text;
}

// The number of characters in a text, or -1.
static int count_characters(const char *text)
{
    return (int)mbstowcs(NULL, text, 0);
}

static int print_wide(FILE *file, const wchar_t *format, va_list arguments)
{
    char *text = format_bytes(format, arguments);
    if (text == NULL) {
        return -1;
    }
    size_t length = strlen(text);
    int characters = __stream_write(file, text, length) == length ? count_characters(text) : -1;
    free(text);
    return characters;
}

static int print_wide_to_memory(wchar_t *target, size_t size, const wchar_t *format, va_list arguments)
{
    char *text = format_bytes(format, arguments);
    if (text == NULL) {
        return -1;
    }
    int characters = count_characters(text);
    if (size > 0 && characters >= 0) {
        mbstowcs(target, text, size);
        target[size - 1] = 0;
    }
    free(text);
    return characters >= 0 && (size_t)characters < size ? characters : -1;
}

int vfwprintf(FILE *file, const wchar_t *format, va_list arguments)
{
    return print_wide(file, format, arguments);
}

int vwprintf(const wchar_t *format, va_list arguments)
{
    return print_wide(stdout, format, arguments);
}

int vswprintf(wchar_t *target, size_t size, const wchar_t *format, va_list arguments)
{
    return print_wide_to_memory(target, size, format, arguments);
}

int fwprintf(FILE *file, const wchar_t *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int characters = print_wide(file, format, arguments);
    va_end(arguments);
    return characters;
}

int wprintf(const wchar_t *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int characters = print_wide(stdout, format, arguments);
    va_end(arguments);
    return characters;
}

int swprintf(wchar_t *target, size_t size, const wchar_t *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int characters = print_wide_to_memory(target, size, format, arguments);
    va_end(arguments);
    return characters;
}

// The variants of _FORTIFY_SOURCE, which also say how much room there is.
void __chk_fail(void) __attribute__((noreturn));

int __vswprintf_chk(wchar_t *target, size_t size, int flag, size_t room, const wchar_t *format, va_list arguments)
{
    (void)flag;
    if (room < size) {
        __chk_fail();
    }
    return print_wide_to_memory(target, size, format, arguments);
}

int __swprintf_chk(wchar_t *target, size_t size, int flag, size_t room, const wchar_t *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int characters = __vswprintf_chk(target, size, flag, room, format, arguments);
    va_end(arguments);
    return characters;
}

int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list arguments)
{
    (void)flag;
    return print_wide(file, format, arguments);
}

int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...)
{
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int characters = print_wide(file, format, arguments);
    va_end(arguments);
    return characters;
}

int __wprintf_chk(int flag, const wchar_t *format, ...)
{
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int characters = print_wide(stdout, format, arguments);
    va_end(arguments);
    return characters;
}
