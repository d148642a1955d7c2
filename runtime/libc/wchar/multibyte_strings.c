// Strings of multibyte characters to wide strings and back.
#define _GNU_SOURCE
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "../internal.h"

#define INVALID ((size_t)-1)
#define INCOMPLETE ((size_t)-2)

// Decodes at most `bytes` bytes into at most `room` characters (any number if `out` is null).
static size_t decode_string(wchar_t *out, const char **in, size_t bytes, size_t room, mbstate_t *state)
{
    const char *place = *in;
    size_t count = 0;
    while (out == NULL || count < room) {
        wchar_t character;
        size_t used = bytes == 0 ? INCOMPLETE : mbrtowc(&character, place, bytes, state);
        if (used == INVALID) {
            if (out != NULL)
                *in = place;
            return INVALID;
        }
        if (used == INCOMPLETE) {
            place += bytes;
            break;
        }
        if (out != NULL)
            out[count] = character;
        if (character == L'\0') {
            if (out != NULL)
                *in = NULL;
            return count;
        }
        count++;
        place += used;
        bytes -= used;
    }
    if (out != NULL)
        *in = place;
    return count;
}

// Encodes at most `characters` characters into at most `room` bytes (any number if `out` is null).
static size_t encode_string(char *out, const wchar_t **in, size_t characters, size_t room, mbstate_t *state)
{
    const wchar_t *place = *in;
    size_t count = 0;
    for (; characters != 0 && (out == NULL || count < room); characters--, place++) {
        char encoded[MB_LEN_MAX];
        size_t length = wcrtomb(encoded, *place, state);
        if (length == INVALID) {
            if (out != NULL)
                *in = place;
            return INVALID;
        }
        if (out != NULL) {
            if (length > room - count)
                break;
            for (size_t i = 0; i < length; i++)
                out[count + i] = encoded[i];
        }
        if (*place == L'\0') {
            if (out != NULL)
                *in = NULL;
            return count;
        }
        count += length;
    }
    if (out != NULL)
        *in = place;
    return count;
}

size_t mbsnrtowcs(wchar_t *restrict out, const char **restrict in, size_t bytes, size_t room, mbstate_t *restrict state)
{
    static mbstate_t own_state;
    return decode_string(out, in, bytes, room, state != NULL ? state : &own_state);
}

size_t mbsrtowcs(wchar_t *restrict out, const char **restrict in, size_t room, mbstate_t *restrict state)
{
    static mbstate_t own_state;
    return decode_string(out, in, SIZE_MAX, room, state != NULL ? state : &own_state);
}

size_t wcsnrtombs(char *restrict out, const wchar_t **restrict in, size_t characters, size_t room,
                  mbstate_t *restrict state)
{
    static mbstate_t own_state;
    return encode_string(out, in, characters, room, state != NULL ? state : &own_state);
}

size_t wcsrtombs(char *restrict out, const wchar_t **restrict in, size_t room, mbstate_t *restrict state)
{
    static mbstate_t own_state;
    return encode_string(out, in, SIZE_MAX, room, state != NULL ? state : &own_state);
}

size_t mbstowcs(wchar_t *restrict out, const char *restrict in, size_t room)
{
    mbstate_t state = {0};
    const char *place = in;
    return decode_string(out, &place, SIZE_MAX, room, &state);
}

size_t wcstombs(char *restrict out, const wchar_t *restrict in, size_t room)
{
    mbstate_t state = {0};
    const wchar_t *place = in;
    return encode_string(out, &place, SIZE_MAX, room, &state);
}
