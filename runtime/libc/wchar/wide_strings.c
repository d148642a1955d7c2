// <wchar.h>: wide strings: length, copying, comparison, searching.
#define _GNU_SOURCE
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#include "../internal.h"

size_t wcslen(const wchar_t *string)
{
    size_t length = 0;
    while (string[length] != L'\0')
        length++;
    return length;
}

size_t wcsnlen(const wchar_t *string, size_t limit)
{
    size_t length = 0;
    while (length < limit && string[length] != L'\0')
        length++;
    return length;
}

wchar_t *__wcpcpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    while ((*to = *from) != L'\0') {
        to++;
        from++;
    }
    return to;
}
ALIAS(wcpcpy, __wcpcpy);

wchar_t *__wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    for (; count != 0 && *from != L'\0'; count--)
        *to++ = *from++;
    wmemset(to, L'\0', count);
    return to;
}
ALIAS(wcpncpy, __wcpncpy);

wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from)
{
    __wcpcpy(to, from);
    return to;
}

wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    __wcpncpy(to, from, count);
    return to;
}

wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from)
{
    __wcpcpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t count)
{
    wchar_t *out = to + wcslen(to);
    for (; count != 0 && *from != L'\0'; count--)
        *out++ = *from++;
    *out = L'\0';
    return to;
}

wchar_t *wcsdup(const wchar_t *string)
{
    size_t size = wcslen(string) + 1;
    wchar_t *copy = malloc(size * sizeof *copy);
    return copy == NULL ? NULL : wmemcpy(copy, string, size);
}

int wcscmp(const wchar_t *left, const wchar_t *right)
{
    while (*left != L'\0' && *left == *right) {
        left++;
        right++;
    }
    return *left == *right ? 0 : *left < *right ? -1 : 1;
}
ALIAS(wcscoll, wcscmp);

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count)
{
    for (; count != 0; count--, left++, right++) {
        if (*left != *right)
            return *left < *right ? -1 : 1;
        if (*left == L'\0')
            break;
    }
    return 0;
}

int __wcsncasecmp(const wchar_t *left, const wchar_t *right, size_t count)
{
    for (; count != 0; count--, left++, right++) {
        wint_t a = towlower((wint_t)*left), b = towlower((wint_t)*right);
        if (a != b)
            return a < b ? -1 : 1;
        if (*left == L'\0')
            break;
    }
    return 0;
}
ALIAS(wcsncasecmp, __wcsncasecmp);

int wcscasecmp(const wchar_t *left, const wchar_t *right)
{
    return __wcsncasecmp(left, right, (size_t)-1);
}

size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t size)
{
    size_t length = wcslen(from);
    if (size != 0)
        wcsncpy(to, from, length < size ? length + 1 : size);
    return length;
}

wchar_t *wcschr(const wchar_t *string, wchar_t wanted)
{
    for (;; string++) {
        if (*string == wanted)
            return (wchar_t *)string;
        if (*string == L'\0')
            return NULL;
    }
}

wchar_t *wcschrnul(const wchar_t *string, wchar_t wanted)
{
    while (*string != wanted && *string != L'\0')
        string++;
    return (wchar_t *)string;
}

wchar_t *wcsrchr(const wchar_t *string, wchar_t wanted)
{
    const wchar_t *last = NULL;
    for (;; string++) {
        if (*string == wanted)
            last = string;
        if (*string == L'\0')
            return (wchar_t *)last;
    }
}

size_t wcsspn(const wchar_t *string, const wchar_t *accepted)
{
    size_t length = 0;
    while (string[length] != L'\0' && wcschr(accepted, string[length]) != NULL)
        length++;
    return length;
}

size_t wcscspn(const wchar_t *string, const wchar_t *rejected)
{
    size_t length = 0;
    while (string[length] != L'\0' && wcschr(rejected, string[length]) == NULL)
        length++;
    return length;
}

wchar_t *wcspbrk(const wchar_t *string, const wchar_t *wanted)
{
    string += wcscspn(string, wanted);
    return *string == L'\0' ? NULL : (wchar_t *)string;
}

wchar_t *wcsstr(const wchar_t *haystack, const wchar_t *needle)
{
    size_t length = wcslen(needle);
    for (;; haystack++) {
        if (wcsncmp(haystack, needle, length) == 0)
            return (wchar_t *)haystack;
        if (*haystack == L'\0')
            return NULL;
    }
}
ALIAS(wcswcs, wcsstr);

wchar_t *wcstok(wchar_t *restrict string, const wchar_t *restrict delimiters, wchar_t **restrict rest)
{
    if (string == NULL)
        string = *rest;
    if (string == NULL)
        return NULL;
    string += wcsspn(string, delimiters);
    if (*string == L'\0') {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = string + wcscspn(string, delimiters);
    *rest = *end == L'\0' ? NULL : end + 1;
    *end = L'\0';
    return string;
}
