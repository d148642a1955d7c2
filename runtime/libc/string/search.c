// <string.h> and <strings.h>: searching in strings and cutting them into tokens.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "../internal.h"

char *__strchrnul(const char *string, int wanted)
{
    while (*string != (char)wanted && *string != '\0')
        string++;
    return (char *)string;
}
ALIAS(strchrnul, __strchrnul);

char *strchr(const char *string, int wanted)
{
    while (*string != (char)wanted) {
        if (*string == '\0')
            return NULL;
        string++;
    }
    return (char *)string;
}
ALIAS(index, strchr);

char *strrchr(const char *string, int wanted)
{
    const char *last = NULL;
    for (;; string++) {
        if (*string == (char)wanted)
            last = string;
        if (*string == '\0')
            return (char *)last;
    }
}
ALIAS(rindex, strrchr);

char *strstr(const char *haystack, const char *needle)
{
    if (*needle == '\0')
        return (char *)haystack;
    for (; *haystack != '\0'; haystack++) {
        size_t matched = 0;
        while (haystack[matched] == needle[matched] && needle[matched] != '\0')
            matched++;
        if (needle[matched] == '\0')
            return (char *)haystack;
        // The haystack ends inside the match, so nothing further right can be long enough.
        if (haystack[matched] == '\0')
            return NULL;
    }
    return NULL;
}

static inline int lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : byte;
}

char *strcasestr(const char *haystack, const char *needle)
{
    if (*needle == '\0')
        return (char *)haystack;
    for (; *haystack != '\0'; haystack++) {
        size_t matched = 0;
        while (needle[matched] != '\0' && lower(haystack[matched]) == lower(needle[matched]))
            matched++;
        if (needle[matched] == '\0')
            return (char *)haystack;
        if (haystack[matched] == '\0')
            return NULL;
    }
    return NULL;
}
ALIAS(__strcasestr, strcasestr);

// Whether `byte`, which is not the terminator, is in the string `set`.
static inline int contains(const char *set, char byte)
{
    for (; *set != '\0'; set++)
        if (*set == byte)
            return 1;
    return 0;
}

size_t strspn(const char *string, const char *accepted)
{
    const char *end = string;
    while (*end != '\0' && contains(accepted, *end))
        end++;
    return (size_t)(end - string);
}

size_t strcspn(const char *string, const char *rejected)
{
    const char *end = string;
    while (*end != '\0' && !contains(rejected, *end))
        end++;
    return (size_t)(end - string);
}

char *strpbrk(const char *string, const char *wanted)
{
    string += strcspn(string, wanted);
    return *string == '\0' ? NULL : (char *)string;
}

char *__strtok_r(char *restrict string, const char *restrict delimiters, char **restrict rest)
{
    if (string == NULL)
        string = *rest;
    string += strspn(string, delimiters);
    if (*string == '\0') {
        *rest = string;
        return NULL;
    }
    char *end = string + strcspn(string, delimiters);
    if (*end != '\0')
        *end++ = '\0';
    *rest = end;
    return string;
}
ALIAS(strtok_r, __strtok_r);

char *strtok(char *restrict string, const char *restrict delimiters)
{
    static char *rest;
    return __strtok_r(string, delimiters, &rest);
}

char *strsep(char **restrict rest, const char *restrict delimiters)
{
    char *token = *rest;
    if (token == NULL)
        return NULL;
    char *end = token + strcspn(token, delimiters);
    if (*end == '\0') {
        *rest = NULL;
    } else {
        *end = '\0';
        *rest = end + 1;
    }
    return token;
}
ALIAS(__strsep, strsep);
