// Multibyte characters: one at a time. ASCII in the C locale, UTF-8 in C.UTF-8.
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>

#include "../internal.h"
#include "../locale/locale.h"

#define INVALID ((size_t)-1)
#define INCOMPLETE ((size_t)-2)

size_t __ctype_get_mb_cur_max(void)
{
    return __symcrete_utf8 ? 6 : 1;
}

static size_t invalid(void)
{
    errno = EILSEQ;
    return INVALID;
}

// While a UTF-8 sequence is incomplete, the state holds the value so far, how many bytes are missing, and how many
// there are in all (times 256). Like glibc, this reads what is beyond Unicode, in up to six bytes.
static int begin_sequence(unsigned char lead, mbstate_t *state)
{
    if (lead < 0xc2 || lead > 0xfd)
        return 0;
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : lead < 0xfc ? 5 : 6;
    state->__count = length * 256 + length - 1;
    state->__value.__wch = lead & (0x7fu >> length);
    return 1;
}

// Takes the next byte of a sequence; after the last, refuses overlong forms and surrogates.
static int continue_sequence(unsigned char byte, mbstate_t *state)
{
    int length = state->__count / 256;
    unsigned value = state->__value.__wch << 6 | (byte & 0x3f);
    if (byte < 0x80 || byte > 0xbf)
        return 0;
    state->__value.__wch = value;
    state->__count--;
    if (state->__count % 256 != 0)
        return 1;
    unsigned least = length == 2 ? 0x80 : 1u << (5 * length - 4);
    return value >= least && (value < 0xd800 || value > 0xdfff);
}

static size_t decode(wchar_t *out, const char *in, size_t count, mbstate_t *state)
{
    size_t used = 0;
    if (count == 0)
        return INCOMPLETE;
    if (state->__count == 0) {
        unsigned char byte = (unsigned char)in[used++];
        if (byte < 0x80) {
            if (out != NULL)
                *out = byte;
            return byte != 0;
        }
        if (!__symcrete_utf8 || !begin_sequence(byte, state))
            return invalid();
    }
    while (state->__count % 256 != 0) {
        if (used == count)
            return INCOMPLETE;
        if (!continue_sequence((unsigned char)in[used++], state)) {
            state->__count = 0;
            return invalid();
        }
    }
    state->__count = 0;
    if (out != NULL)
        *out = (wchar_t)state->__value.__wch;
    return used;
}

size_t mbrtowc(wchar_t *restrict out, const char *restrict in, size_t count, mbstate_t *restrict state)
{
    static mbstate_t own_state;
    if (state == NULL)
        state = &own_state;
    return in == NULL ? decode(NULL, "", 1, state) : decode(out, in, count, state);
}

size_t mbrlen(const char *restrict in, size_t count, mbstate_t *restrict state)
{
    static mbstate_t own_state;
    return mbrtowc(NULL, in, count, state != NULL ? state : &own_state);
}
ALIAS(__mbrlen, mbrlen);

int mbsinit(const mbstate_t *state)
{
    return state == NULL || state->__count == 0;
}

size_t wcrtomb(char *restrict out, wchar_t character, mbstate_t *restrict state)
{
    unsigned value = (unsigned)character;
    if (out == NULL)
        return 1;
    if (state != NULL)
        state->__count = 0;
    if (value < 0x80) {
        out[0] = (char)value;
        return 1;
    }
    if (!__symcrete_utf8 || (value >= 0xd800 && value < 0xe000) || value > 0x7fffffff)
        return invalid();
    // Like glibc, write what is beyond Unicode in up to six bytes.
    size_t length = value < 0x800 ? 2 : value < 0x10000 ? 3 : value < 0x200000 ? 4 : value < 0x4000000 ? 5 : 6;
    for (size_t i = length; --i > 0; value >>= 6)
        out[i] = (char)(0x80 | (value & 0x3f));
    out[0] = (char)(0xff00 >> length | value);
    return length;
}

int mbtowc(wchar_t *restrict out, const char *restrict in, size_t count)
{
    mbstate_t state = {0};
    if (in == NULL)
        return 0;
    size_t used = decode(out, in, count, &state);
    return used == INVALID || used == INCOMPLETE ? -1 : (int)used;
}

int mblen(const char *in, size_t count)
{
    return mbtowc(NULL, in, count);
}

int wctomb(char *out, wchar_t character)
{
    return out == NULL ? 0 : (int)wcrtomb(out, character, NULL);
}

wint_t btowc(int byte)
{
    return byte >= 0 && byte < 0x80 ? (wint_t)byte : WEOF;
}

int wctob(wint_t character)
{
    return character < 0x80 ? (int)character : -1;
}

size_t mbrtoc32(char32_t *restrict out, const char *restrict in, size_t count, mbstate_t *restrict state)
{
    static mbstate_t own_state;
    return mbrtowc((wchar_t *)out, in, count, state != NULL ? state : &own_state);
}

size_t c32rtomb(char *restrict out, char32_t character, mbstate_t *restrict state)
{
    return wcrtomb(out, (wchar_t)character, state);
}
