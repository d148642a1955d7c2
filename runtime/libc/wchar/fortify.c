// What _FORTIFY_SOURCE turns wide and multibyte calls into; sizes are in elements of the destination.
#define _GNU_SOURCE
#include <stdlib.h>
#include <wchar.h>

#include "../internal.h"

_Noreturn void __chk_fail(void);
wchar_t *__wcpcpy(wchar_t *to, const wchar_t *from);
wchar_t *__wcpncpy(wchar_t *to, const wchar_t *from, size_t count);
wchar_t *__wmempcpy(wchar_t *to, const wchar_t *from, size_t count);

#define CHECKED(type, name, parameters, needed, call)                                                                  \
    type __##name##_chk parameters;                                                                                    \
    type __##name##_chk parameters                                                                                     \
    {                                                                                                                  \
        if ((needed) > size)                                                                                           \
            __chk_fail();                                                                                              \
        return call;                                                                                                   \
    }

#define WIDE_PAIR wchar_t *to, const wchar_t *from

CHECKED(wchar_t *, wmemcpy, (WIDE_PAIR, size_t count, size_t size), count, wmemcpy(to, from, count))
CHECKED(wchar_t *, wmemmove, (WIDE_PAIR, size_t count, size_t size), count, wmemmove(to, from, count))
CHECKED(wchar_t *, wmempcpy, (WIDE_PAIR, size_t count, size_t size), count, __wmempcpy(to, from, count))
CHECKED(wchar_t *, wmemset, (wchar_t * to, wchar_t c, size_t count, size_t size), count, wmemset(to, c, count))
CHECKED(wchar_t *, wcscpy, (WIDE_PAIR, size_t size), wcslen(from) + 1, wcscpy(to, from))
CHECKED(wchar_t *, wcpcpy, (WIDE_PAIR, size_t size), wcslen(from) + 1, __wcpcpy(to, from))
CHECKED(wchar_t *, wcsncpy, (WIDE_PAIR, size_t count, size_t size), count, wcsncpy(to, from, count))
CHECKED(wchar_t *, wcpncpy, (WIDE_PAIR, size_t count, size_t size), count, __wcpncpy(to, from, count))
CHECKED(wchar_t *, wcscat, (WIDE_PAIR, size_t size), wcslen(to) + wcslen(from) + 1, wcscat(to, from))
CHECKED(int, wctomb, (char *to, wchar_t c, size_t size), MB_CUR_MAX, wctomb(to, c))
CHECKED(size_t, wcrtomb, (char *to, wchar_t c, mbstate_t *state, size_t size), MB_CUR_MAX, wcrtomb(to, c, state))
CHECKED(size_t, mbstowcs, (wchar_t * to, const char *from, size_t count, size_t size), count, mbstowcs(to, from, count))
CHECKED(size_t, wcstombs, (char *to, const wchar_t *from, size_t count, size_t size), count, wcstombs(to, from, count))
CHECKED(size_t, mbsrtowcs, (wchar_t * to, const char **from, size_t count, mbstate_t *state, size_t size), count,
        mbsrtowcs(to, from, count, state))
CHECKED(size_t, wcsrtombs, (char *to, const wchar_t **from, size_t count, mbstate_t *state, size_t size), count,
        wcsrtombs(to, from, count, state))

wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t count, size_t size);

wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t count, size_t size)
{
    size_t length = 0;
    while (length < count && from[length] != L'\0')
        length++;
    if (wcslen(to) + length + 1 > size)
        __chk_fail();
    return wcsncat(to, from, length);
}
