// fnmatch: shell patterns (without GNU's extended ones), in the C locale.
#define _GNU_SOURCE
#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "../internal.h"
#include "character_class.h"

// Also tells "the text ended inside a star", after which a longer star earlier in the pattern cannot help.
enum { MATCH = 0, NO_MATCH = FNM_NOMATCH, TEXT_ENDED = FNM_NOMATCH + 1 };

static int folded(char c, int flags)
{
    unsigned char byte = (unsigned char)c;
    return flags & FNM_CASEFOLD ? tolower(byte) : byte;
}

// A period that only an explicit period matches.
static int is_leading_period(const char *text, const char *start, int flags)
{
    return (flags & FNM_PERIOD) && *text == '.' && (text == start || ((flags & FNM_PATHNAME) && text[-1] == '/'));
}

// One member of a bracket expression: a character, or the name between "[." or "[=" and its end. Returns -1 if
// malformed.
static int bracket_member(const char **pattern, int flags)
{
    const char *place = *pattern;
    if (place[0] == '[' && (place[1] == '.' || place[1] == '=')) {
        if (place[2] == '\0' || place[3] != place[1] || place[4] != ']')
            return -1;
        *pattern = place + 5;
        return (unsigned char)place[2];
    }
    if (*place == '\\' && !(flags & FNM_NOESCAPE))
        place++;
    if (*place == '\0')
        return -1;
    *pattern = place + 1;
    return (unsigned char)*place;
}

// Matches one character with the bracket expression that begins after '['. Returns 1 or 0 and steps over it, or -1 if
// it does not end, so that the bracket stands for itself.
static int match_bracket(const char **pattern, char c, int flags)
{
    const char *place = *pattern;
    int negated = *place == '!' || *place == '^', matched = 0, wanted = folded(c, flags);
    place += negated;
    for (int first = 1; first || *place != ']'; first = 0) {
        if (*place == '\0')
            return -1;
        if (place[0] == '[' && place[1] == ':') {
            size_t length;
            int bits = __symcrete_class_bits(place + 2, &length);
            if (bits != 0) {
                matched |= __symcrete_in_class((unsigned char)c, bits)
                           || ((flags & FNM_CASEFOLD)
                               && (__symcrete_in_class(tolower((unsigned char)c), bits)
                                   || __symcrete_in_class(toupper((unsigned char)c), bits)));
                place += 2 + length;
                continue;
            }
        }
        int low = bracket_member(&place, flags), high = low;
        if (low >= 0 && place[0] == '-' && place[1] != ']' && place[1] != '\0') {
            place++;
            high = bracket_member(&place, flags);
        }
        if (low < 0 || high < 0)
            return -1;
        if (flags & FNM_CASEFOLD) {
            low = tolower(low);
            high = tolower(high);
        }
        matched |= low <= wanted && wanted <= high;
    }
    *pattern = place + 1;
    return matched != negated;
}

static int match(const char *pattern, const char *text, const char *start, int flags);

static int match_star(const char *pattern, const char *text, const char *start, int flags)
{
    if (is_leading_period(text, start, flags))
        return NO_MATCH;
    while (*pattern == '*')
        pattern++;
    if (*pattern == '\0') {
        int has_slash = (flags & FNM_PATHNAME) && strchr(text, '/') != NULL;
        return !has_slash || (flags & FNM_LEADING_DIR) ? MATCH : NO_MATCH;
    }
    for (;; text++) {
        int result = match(pattern, text, start, flags);
        if (result != NO_MATCH)
            return result;
        if (*text == '\0')
            return TEXT_ENDED;
        if (*text == '/' && (flags & FNM_PATHNAME))
            return NO_MATCH;
    }
}

static int match(const char *pattern, const char *text, const char *start, int flags)
{
    for (;; text++) {
        char wanted = *pattern++;
        if (wanted == '\0')
            return *text == '\0' || ((flags & FNM_LEADING_DIR) && *text == '/') ? MATCH : NO_MATCH;
        if (wanted == '*')
            return match_star(pattern, text, start, flags);
        if (*text == '\0')
            return NO_MATCH;
        if (wanted == '?' || wanted == '[') {
            int matched = wanted == '?' ? 1 : match_bracket(&pattern, *text, flags);
            if (matched >= 0) {
                if (!matched || is_leading_period(text, start, flags) || (*text == '/' && (flags & FNM_PATHNAME)))
                    return NO_MATCH;
                continue;
            }
        } else if (wanted == '\\' && !(flags & FNM_NOESCAPE)) {
            wanted = *pattern++;
            if (wanted == '\0')
                return NO_MATCH;
        }
        if (folded(wanted, flags) != folded(*text, flags))
            return NO_MATCH;
    }
}

int __symcrete_fnmatch(const char *pattern, const char *text, int flags);

int __symcrete_fnmatch(const char *pattern, const char *text, int flags)
{
    return match(pattern, text, text, flags) == MATCH ? 0 : FNM_NOMATCH;
}
ALIAS(fnmatch, __symcrete_fnmatch);
