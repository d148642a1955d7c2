// <string.h>: length, copying and joining of strings.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

size_t strlcpy(char *restrict, const char *restrict, size_t);
size_t strlcat(char *restrict, const char *restrict, size_t);

size_t strlen(const char *string)
{
    const char *end = string;
    while (*end != '\0')
        end++;
    return (size_t)(end - string);
}

size_t __strnlen(const char *string, size_t limit)
{
    size_t length = 0;
    while (length < limit && string[length] != '\0')
        length++;
    return length;
}
ALIAS(strnlen, __strnlen);

char *__stpcpy(char *restrict to, const char *restrict from)
{
    while ((*to = *from) != '\0') {
        to++;
        from++;
    }
    return to;
}
ALIAS(stpcpy, __stpcpy);

char *strcpy(char *restrict to, const char *restrict from)
{
    __stpcpy(to, from);
    return to;
}

char *__stpncpy(char *restrict to, const char *restrict from, size_t count)
{
    for (; count != 0 && *from != '\0'; count--)
        *to++ = *from++;
    memset(to, 0, count);
    return to;
}
ALIAS(stpncpy, __stpncpy);

char *strncpy(char *restrict to, const char *restrict from, size_t count)
{
    __stpncpy(to, from, count);
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    __stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t count)
{
    char *out = to + strlen(to);
    for (; count != 0 && *from != '\0'; count--)
        *out++ = *from++;
    *out = '\0';
    return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = strlen(from);
    if (size != 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = '\0';
    }
    return length;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size)
{
    size_t used = __strnlen(to, size);
    if (used == size)
        return size + strlen(from);
    size_t length = strlen(from), room = size - used - 1;
    size_t copied = length < room ? length : room;
    memcpy(to + used, from, copied);
    to[used + copied] = '\0';
    return used + length;
}

static char *duplicate(const char *string, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, string, length);
    copy[length] = '\0';
    return copy;
}

char *__strdup(const char *string)
{
    return duplicate(string, strlen(string));
}
ALIAS(strdup, __strdup);

char *strndup(const char *string, size_t limit)
{
    return duplicate(string, __strnlen(string, limit));
}
ALIAS(__strndup, strndup);

size_t strxfrm(char *restrict to, const char *restrict from, size_t size)
{
    size_t length = strlen(from);
    if (size != 0)
        __stpncpy(to, from, length < size ? length + 1 : size);
    return length;
}
