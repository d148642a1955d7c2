// <wchar.h>: counted wide characters.
#define _GNU_SOURCE
#include <string.h>
#include <wchar.h>

#include "../internal.h"

wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    return memcpy(to, from, count * sizeof *to);
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count)
{
    return memmove(to, from, count * sizeof *to);
}

wchar_t *__wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    return wmemcpy(to, from, count) + count;
}
ALIAS(wmempcpy, __wmempcpy);

wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = character;
    return to;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count)
{
    for (; count != 0; count--, left++, right++)
        if (*left != *right)
            return *left < *right ? -1 : 1;
    return 0;
}

wchar_t *wmemchr(const wchar_t *memory, wchar_t wanted, size_t count)
{
    for (; count != 0; count--, memory++)
        if (*memory == wanted)
            return (wchar_t *)memory;
    return NULL;
}
