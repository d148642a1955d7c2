// <string.h> and <strings.h>: functions on counted bytes. memcpy, memmove and memset belong to the engine.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../internal.h"

int memcmp(const void *left, const void *right, size_t count)
{
    const unsigned char *a = left, *b = right;
    for (; count != 0; count--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}
ALIAS(bcmp, memcmp);
ALIAS(__memcmpeq, memcmp);

void *memchr(const void *memory, int byte, size_t count)
{
    const unsigned char *bytes = memory;
    for (; count != 0; count--, bytes++)
        if (*bytes == (unsigned char)byte)
            return (void *)bytes;
    return NULL;
}

void *memrchr(const void *memory, int byte, size_t count)
{
    const unsigned char *bytes = memory;
    while (count-- != 0)
        if (bytes[count] == (unsigned char)byte)
            return (void *)(bytes + count);
    return NULL;
}
ALIAS(__memrchr, memrchr);

void *rawmemchr(const void *memory, int byte)
{
    const unsigned char *bytes = memory;
    while (*bytes != (unsigned char)byte)
        bytes++;
    return (void *)bytes;
}
ALIAS(__rawmemchr, rawmemchr);

void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length)
{
    const unsigned char *place = haystack, *wanted = needle;
    if (needle_length == 0)
        return (void *)place;
    for (; haystack_length >= needle_length; haystack_length--, place++)
        if (*place == *wanted && memcmp(place, wanted, needle_length) == 0)
            return (void *)place;
    return NULL;
}

void *__mempcpy(void *restrict to, const void *restrict from, size_t count)
{
    return (char *)memcpy(to, from, count) + count;
}
ALIAS(mempcpy, __mempcpy);

void *memccpy(void *restrict to, const void *restrict from, int stop, size_t count)
{
    unsigned char *out = to;
    const unsigned char *in = from;
    for (; count != 0; count--) {
        *out++ = *in;
        if (*in++ == (unsigned char)stop)
            return out;
    }
    return NULL;
}

void *memfrob(void *memory, size_t count)
{
    unsigned char *bytes = memory;
    for (size_t i = 0; i < count; i++)
        bytes[i] ^= 42;
    return memory;
}

void swab(const void *restrict from, void *restrict to, ssize_t count)
{
    const unsigned char *in = from;
    unsigned char *out = to;
    for (; count > 1; count -= 2, in += 2, out += 2) {
        unsigned char first = in[0];
        out[0] = in[1];
        out[1] = first;
    }
}

void bcopy(const void *from, void *to, size_t count)
{
    memmove(to, from, count);
}

void bzero(void *memory, size_t count)
{
    memset(memory, 0, count);
}
ALIAS(__bzero, bzero);
ALIAS(explicit_bzero, bzero);

void *memset_explicit(void *memory, int byte, size_t count)
{
    return memset(memory, byte, count);
}

int ffsll(long long value)
{
    if (value == 0)
        return 0;
    int position = 1;
    for (; (value & 1) == 0; position++)
        value = (long long)((unsigned long long)value >> 1);
    return position;
}

int ffsl(long value)
{
    return ffsll(value);
}

int ffs(int value)
{
    return ffsll(value);
}
