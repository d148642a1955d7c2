// %c, %s and %[ of the scanf family, narrow and wide, to the program's memory or to memory from malloc.
#include "scan.h"

#include <wchar.h>

// Where characters are stored. Wide ones are decoded as the locale says.
struct destination {
    bool stores, wide, allocates;
    char *bytes;
    size_t length, capacity; // in bytes; the capacity counts only if the memory is ours
};

static size_t unit(const struct destination *destination)
{
    return destination->wide ? sizeof(wchar_t) : 1;
}

// Makes room for one more character. Fails only for want of memory.
static bool reserve(struct destination *destination)
{
    if (!destination->allocates || destination->length + unit(destination) <= destination->capacity) {
        return true;
    }
    size_t larger = destination->capacity == 0 ? 100 * unit(destination) : 2 * destination->capacity;
    char *grown = realloc(destination->bytes, larger);
    if (grown == NULL) {
        return false;
    }
    destination->bytes = grown;
    destination->capacity = larger;
    return true;
}

static bool store(struct destination *destination, wchar_t character)
{
    if (!destination->stores) {
        return true;
    }
    if (!reserve(destination)) {
        return false;
    }
    if (destination->wide) {
        memcpy(destination->bytes + destination->length, &character, sizeof character);
    } else {
        destination->bytes[destination->length] = (char)character;
    }
    destination->length += unit(destination);
    return true;
}

// Reads the rest of the wide character that starts with `byte`. False, with errno, if there is no such character.
static bool decode(struct source *source, int byte, wchar_t *character)
{
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (;;) {
        char next = (char)byte;
        size_t length = mbrtowc(character, &next, 1, &state);
        if (length <= 1) {
            return true;
        }
        byte = length == (size_t)-2 ? source_get(source) : EOF;
        if (byte == EOF) {
            errno = EILSEQ;
            return false;
        }
    }
}

// Stores the character that starts with `byte`. What is none does not match.
static enum scan_result store_next(struct source *source, struct destination *destination, int byte)
{
    wchar_t character = byte;
    if (destination->wide && !decode(source, byte, &character)) {
        return SCAN_NO_MATCH;
    }
    return store(destination, character) ? SCAN_STORED : SCAN_FAILED;
}

// Which bytes a %[ accepts: one flag for each.
static void fill_set(const struct scan_conversion *conversion, bool *accepted)
{
    const char *at = conversion->set;
    bool inverted = *at == '^';
    at += inverted;
    memset(accepted, inverted, 256);
    for (const char *first = at; at < conversion->set_end; at++) {
        unsigned low = (unsigned char)*at;
        // A minus between two bytes in order is a range; anywhere else it stands for itself.
        if (*at == '-' && at > first && at + 1 < conversion->set_end && (unsigned char)at[-1] <= (unsigned char)at[1]) {
            unsigned high = (unsigned char)at[1];
            for (low = (unsigned char)at[-1]; low < high; low++) {
                accepted[low] = !inverted;
            }
        } else {
            accepted[low] = !inverted;
        }
    }
}

// Reads characters, from `byte` on, as long as the conversion takes them.
static enum scan_result read_characters(struct source *source, const struct scan_conversion *conversion,
                                        struct destination *destination, int byte)
{
    bool accepted[256];
    bool by_set = conversion->letter == '[';
    bool by_space = conversion->letter == 's' || conversion->letter == 'S';
    size_t limit = conversion->width > 0 ? (size_t)conversion->width : by_set || by_space ? SIZE_MAX : 1;
    if (by_set) {
        fill_set(conversion, accepted);
    }
    size_t count = 0;
    while (byte != EOF) {
        if ((by_space && scan_is_space(byte)) || (by_set && !accepted[byte])) {
            source_unget(source, byte);
            break;
        }
        enum scan_result stored = store_next(source, destination, byte);
        if (stored != SCAN_STORED) {
            return stored;
        }
        if (++count == limit) {
            break;
        }
        byte = source_get(source);
    }
    return count > 0 ? SCAN_STORED : SCAN_NO_MATCH;
}

static void finish_memory(struct destination *destination, void *target)
{
    char *fitted = realloc(destination->bytes, destination->length);
    *(char **)target = fitted != NULL ? fitted : destination->bytes;
}

enum scan_result __scan_text(struct source *source, const struct scan_conversion *conversion, void *target)
{
    int byte = source_get(source);
    if (byte == EOF) {
        return SCAN_NO_INPUT;
    }
    bool terminated = conversion->letter != 'c' && conversion->letter != 'C';
    struct destination destination = {
        .stores = !conversion->suppressed,
        .wide = conversion->length == SCAN_LONG || conversion->letter == 'C' || conversion->letter == 'S',
        .allocates = conversion->allocates && !conversion->suppressed,
    };
    destination.bytes = destination.allocates ? NULL : target;
    enum scan_result result = read_characters(source, conversion, &destination, byte);
    if (result == SCAN_STORED && terminated && !store(&destination, 0)) {
        result = SCAN_FAILED;
    }
    if (result != SCAN_STORED) {
        if (destination.allocates) {
            free(destination.bytes);
        }
        return result;
    }
    if (destination.allocates) {
        finish_memory(&destination, target);
    }
    return conversion->suppressed ? SCAN_SILENT : SCAN_STORED;
}
