// <wctype.h>: classes and cases of wide characters. Only ASCII characters belong to any, as in the C locale.
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "../ctype/tables.h"
#include "../internal.h"
#include "../locale/locale.h"

static inline int class_of(wint_t c, unsigned long bits)
{
    return c < 128 ? __symcrete_classes[128 + c] & (int)bits : 0;
}

#define CLASS(name, bit)                                                                                               \
    int name(wint_t c)                                                                                                 \
    {                                                                                                                  \
        return class_of(c, bit);                                                                                       \
    }                                                                                                                  \
    int name##_l(wint_t c, locale_t locale)                                                                            \
    {                                                                                                                  \
        (void)locale;                                                                                                  \
        return class_of(c, bit);                                                                                       \
    }                                                                                                                  \
    extern __typeof(name##_l) __##name##_l __attribute__((alias(#name "_l")));

CLASS(iswalnum, _ISalnum)
CLASS(iswalpha, _ISalpha)
CLASS(iswblank, _ISblank)
CLASS(iswcntrl, _IScntrl)
CLASS(iswdigit, _ISdigit)
CLASS(iswgraph, _ISgraph)
CLASS(iswlower, _ISlower)
CLASS(iswprint, _ISprint)
CLASS(iswpunct, _ISpunct)
CLASS(iswspace, _ISspace)
CLASS(iswupper, _ISupper)
CLASS(iswxdigit, _ISxdigit)

wint_t towlower(wint_t c)
{
    return c < 128 ? (wint_t)__symcrete_lower[128 + c] : c;
}

wint_t towupper(wint_t c)
{
    return c < 128 ? (wint_t)__symcrete_upper[128 + c] : c;
}

wint_t towlower_l(wint_t c, locale_t locale)
{
    (void)locale;
    return towlower(c);
}
ALIAS(__towlower_l, towlower_l);

wint_t towupper_l(wint_t c, locale_t locale)
{
    (void)locale;
    return towupper(c);
}
ALIAS(__towupper_l, towupper_l);

// A class is represented by its bit.
wctype_t wctype(const char *name)
{
    static const struct {
        const char *name;
        wctype_t bit;
    } classes[] = {
        {"alnum", _ISalnum}, {"alpha", _ISalpha}, {"blank", _ISblank}, {"cntrl", _IScntrl},
        {"digit", _ISdigit}, {"graph", _ISgraph}, {"lower", _ISlower}, {"print", _ISprint},
        {"punct", _ISpunct}, {"space", _ISspace}, {"upper", _ISupper}, {"xdigit", _ISxdigit},
    };
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strcmp(name, classes[i].name) == 0)
            return classes[i].bit;
    return 0;
}

wctype_t wctype_l(const char *name, locale_t locale)
{
    (void)locale;
    return wctype(name);
}
ALIAS(__wctype_l, wctype_l);

int iswctype(wint_t c, wctype_t class)
{
    return class_of(c, class);
}

int iswctype_l(wint_t c, wctype_t class, locale_t locale)
{
    (void)locale;
    return class_of(c, class);
}
ALIAS(__iswctype_l, iswctype_l);

// A mapping is represented by its table.
wctrans_t wctrans(const char *name)
{
    if (strcmp(name, "tolower") == 0)
        return __symcrete_lower;
    if (strcmp(name, "toupper") == 0)
        return __symcrete_upper;
    errno = EINVAL;
    return NULL;
}

wint_t towctrans(wint_t c, wctrans_t mapping)
{
    return mapping != NULL && c < 128 ? (wint_t)mapping[128 + c] : c;
}

// Characters beyond ASCII are taken to be one column wide where UTF-8 can show them.
int __symcrete_wcwidth(wchar_t c)
{
    if (c == L'\0')
        return 0;
    if (class_of((wint_t)c, _ISprint))
        return 1;
    return __symcrete_utf8 && c >= 0xa0 ? 1 : -1;
}
ALIAS(wcwidth, __symcrete_wcwidth);

int wcswidth(const wchar_t *string, size_t count)
{
    int total = 0;
    for (; count != 0 && *string != L'\0'; count--, string++) {
        int width = __symcrete_wcwidth(*string);
        if (width < 0)
            return -1;
        total += width;
    }
    return total;
}
