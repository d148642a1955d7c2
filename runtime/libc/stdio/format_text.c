// Strings and characters of the printf family, narrow and wide, and conversions that do not exist.
#include "format.h"

#include <wchar.h>

// Text is never filled with zeros.
static void emit_bytes(struct sink *sink, const struct conversion *conversion, const char *bytes, size_t length)
{
    if (conversion->width == 0) {
        format_put(sink, bytes, length);
        return;
    }
    struct conversion unfilled = *conversion;
    unfilled.flags &= ~FORMAT_ZERO;
    __format_field(sink, &unfilled, "", 0, bytes, length);
}

// A null pointer shows its name if that fits.
static const char *name_of_null(const struct conversion *conversion)
{
    return conversion->precision < 0 || conversion->precision >= (int)strlen("(null)") ? "(null)" : "";
}

void __format_text(struct sink *sink, const struct conversion *conversion, const char *text)
{
    if (text == NULL) {
        text = name_of_null(conversion);
    }
    size_t length;
    if (conversion->precision < 0) {
        length = strlen(text);
    } else {
        const char *end = memchr(text, '\0', (size_t)conversion->precision);
        length = end != NULL ? (size_t)(end - text) : (size_t)conversion->precision;
    }
    emit_bytes(sink, conversion, text, length);
}

// The bytes of a wide character in the locale of the program: their number, or 0 with errno.
static size_t encode(wchar_t character, char *bytes)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    size_t length = wcrtomb(bytes, character, &state);
    return length == (size_t)-1 ? 0 : length;
}

void __format_wide_character(struct sink *sink, const struct conversion *conversion, wchar_t character)
{
    char bytes[MB_LEN_MAX];
    size_t length = encode(character, bytes);
    if (length == 0) {
        sink->failed = true;
        return;
    }
    emit_bytes(sink, conversion, bytes, length);
}

// The precision counts bytes; a character that does not fit as a whole is left out.
void __format_wide_text(struct sink *sink, const struct conversion *conversion, const wchar_t *text)
{
    if (text == NULL) {
        __format_text(sink, conversion, NULL);
        return;
    }
    size_t limit = conversion->precision < 0 ? SIZE_MAX : (size_t)conversion->precision;
    size_t total = 0;
    size_t characters = 0;
    char bytes[MB_LEN_MAX];
    while (total < limit && text[characters] != 0) {
        size_t length = encode(text[characters], bytes);
        if (length == 0) {
            sink->failed = true;
            return;
        }
        if (length > limit - total) {
            break;
        }
        total += length;
        characters++;
    }
    size_t padding = (size_t)conversion->width > total ? (size_t)conversion->width - total : 0;
    bool left = conversion->flags & FORMAT_LEFT;
    __format_fill(sink, ' ', left ? 0 : padding);
    for (size_t i = 0; i < characters; i++) {
        format_put(sink, bytes, encode(text[i], bytes));
    }
    __format_fill(sink, ' ', left ? padding : 0);
}

// glibc prints a conversion that it does not know, in its own order and without the length.
void __format_unknown(struct sink *sink, const struct conversion *conversion)
{
    int flags = conversion->flags;
    format_put(sink, "%", 1);
    if (flags & FORMAT_ALTERNATE) {
        format_put(sink, "#", 1);
    }
    if (flags & FORMAT_GROUP) {
        format_put(sink, "'", 1);
    }
    if (flags & (FORMAT_PLUS | FORMAT_SPACE)) {
        format_put(sink, flags & FORMAT_PLUS ? "+" : " ", 1);
    }
    if (flags & (FORMAT_LEFT | FORMAT_ZERO)) {
        format_put(sink, flags & FORMAT_LEFT ? "-" : "0", 1);
    }
    if (flags & FORMAT_NATIONAL) {
        format_put(sink, "I", 1);
    }
    if (conversion->width != 0) {
        __format_int(sink, conversion->width);
    }
    if (conversion->precision >= 0) {
        format_put(sink, ".", 1);
        __format_int(sink, conversion->precision);
    }
    format_put(sink, &conversion->letter, 1);
}
