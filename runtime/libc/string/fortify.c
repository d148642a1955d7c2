// What _FORTIFY_SOURCE turns string calls into: each checks the size of the destination, then does the plain work.
#define _GNU_SOURCE
#include <string.h>

#include "../internal.h"

_Noreturn void __chk_fail(void);
_Noreturn void __fortify_fail(const char *message);
_Noreturn void __stack_chk_fail(void);

_Noreturn void __fortify_fail(const char *message)
{
    __symcrete_complain("*** ", message, " ***: terminated\n", NULL);
    __symcrete_abort();
}

_Noreturn void __chk_fail(void)
{
    __fortify_fail("buffer overflow detected");
}

_Noreturn void __stack_chk_fail(void)
{
    __fortify_fail("stack smashing detected");
}

unsigned long __stack_chk_guard = (unsigned long)0x0a0d00ff595a5b00ULL;

#define CHECKED(type, name, parameters, needed, call)                                                                  \
    type __##name##_chk parameters;                                                                                    \
    type __##name##_chk parameters                                                                                     \
    {                                                                                                                  \
        if ((needed) > size)                                                                                           \
            __chk_fail();                                                                                              \
        return call;                                                                                                   \
    }

CHECKED(void *, memcpy, (void *to, const void *from, size_t count, size_t size), count, memcpy(to, from, count))
CHECKED(void *, memmove, (void *to, const void *from, size_t count, size_t size), count, memmove(to, from, count))
CHECKED(void *, mempcpy, (void *to, const void *from, size_t count, size_t size), count, __mempcpy(to, from, count))
CHECKED(void *, memset, (void *to, int byte, size_t count, size_t size), count, memset(to, byte, count))
CHECKED(char *, strncpy, (char *to, const char *from, size_t count, size_t size), count, strncpy(to, from, count))
CHECKED(char *, stpncpy, (char *to, const char *from, size_t count, size_t size), count, __stpncpy(to, from, count))
CHECKED(char *, strcpy, (char *to, const char *from, size_t size), strlen(from) + 1, strcpy(to, from))
CHECKED(char *, stpcpy, (char *to, const char *from, size_t size), strlen(from) + 1, __stpcpy(to, from))
CHECKED(char *, strcat, (char *to, const char *from, size_t size), strlen(to) + strlen(from) + 1, strcat(to, from))

char *__strncat_chk(char *to, const char *from, size_t count, size_t size);
void __explicit_bzero_chk(void *memory, size_t count, size_t size);
size_t __strlcpy_chk(char *to, const char *from, size_t count, size_t size);
size_t __strlcat_chk(char *to, const char *from, size_t count, size_t size);

char *__strncat_chk(char *to, const char *from, size_t count, size_t size)
{
    size_t used = strlen(to), length = 0;
    while (length < count && from[length] != '\0')
        length++;
    if (used + length + 1 > size)
        __chk_fail();
    memcpy(to + used, from, length);
    to[used + length] = '\0';
    return to;
}

void __explicit_bzero_chk(void *memory, size_t count, size_t size)
{
    __memset_chk(memory, 0, count, size);
}

size_t __strlcpy_chk(char *to, const char *from, size_t count, size_t size)
{
    if (count > size)
        __chk_fail();
    size_t length = strlen(from);
    if (count != 0) {
        size_t copied = length < count ? length : count - 1;
        memcpy(to, from, copied);
        to[copied] = '\0';
    }
    return length;
}

size_t __strlcat_chk(char *to, const char *from, size_t count, size_t size)
{
    if (count > size)
        __chk_fail();
    size_t used = 0;
    while (used < count && to[used] != '\0')
        used++;
    return used + (used == count ? strlen(from) : __strlcpy_chk(to + used, from, count - used, size - used));
}
