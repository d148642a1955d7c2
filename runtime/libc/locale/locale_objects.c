// Locale objects (newlocale, uselocale …) and the string functions that take one. All of them mean the C locale.
#define _GNU_SOURCE
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "../ctype/tables.h"
#include "../internal.h"
#include "../time/names.h"
#include "locale.h"

// glibc's <ctype.h> macros read the tables through the object.
static const struct __locale_struct c_locale = {
    .__ctype_b = __symcrete_classes + 128,
    .__ctype_tolower = __symcrete_lower + 128,
    .__ctype_toupper = __symcrete_upper + 128,
    .__names = {"C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C", "C"},
};

static locale_t used_locale = LC_GLOBAL_LOCALE;

locale_t newlocale(int mask, const char *name, locale_t base)
{
    (void)mask;
    (void)base;
    if (__symcrete_find_locale(LC_CTYPE, name) == NULL) {
        errno = ENOENT;
        return NULL;
    }
    return (locale_t)&c_locale;
}
ALIAS(__newlocale, newlocale);

locale_t uselocale(locale_t locale)
{
    locale_t before = used_locale;
    if (locale != NULL)
        used_locale = locale;
    return before;
}
ALIAS(__uselocale, uselocale);

locale_t duplocale(locale_t locale)
{
    (void)locale;
    return (locale_t)&c_locale;
}
ALIAS(__duplocale, duplocale);

void freelocale(locale_t locale)
{
    (void)locale;
}
ALIAS(__freelocale, freelocale);

int strcoll_l(const char *left, const char *right, locale_t locale)
{
    (void)locale;
    return strcmp(left, right);
}
ALIAS(__strcoll_l, strcoll_l);

size_t strxfrm_l(char *to, const char *from, size_t size, locale_t locale)
{
    (void)locale;
    return strxfrm(to, from, size);
}
ALIAS(__strxfrm_l, strxfrm_l);

int __strcasecmp(const char *left, const char *right);
int __strncasecmp(const char *left, const char *right, size_t count);

int strcasecmp_l(const char *left, const char *right, locale_t locale)
{
    (void)locale;
    return __strcasecmp(left, right);
}
ALIAS(__strcasecmp_l, strcasecmp_l);

int strncasecmp_l(const char *left, const char *right, size_t count, locale_t locale)
{
    (void)locale;
    return __strncasecmp(left, right, count);
}
ALIAS(__strncasecmp_l, strncasecmp_l);

int wcscoll_l(const wchar_t *left, const wchar_t *right, locale_t locale)
{
    (void)locale;
    return wcscmp(left, right);
}
ALIAS(__wcscoll_l, wcscoll_l);

size_t wcsxfrm_l(wchar_t *to, const wchar_t *from, size_t size, locale_t locale)
{
    (void)locale;
    return wcsxfrm(to, from, size);
}
ALIAS(__wcsxfrm_l, wcsxfrm_l);

char *__symcrete_nl_langinfo(nl_item item)
{
    if (item >= ABDAY_1 && item <= ABDAY_7)
        return (char *)short_day_names[item - ABDAY_1];
    if (item >= DAY_1 && item <= DAY_7)
        return (char *)day_names[item - DAY_1];
    if (item >= ABMON_1 && item <= ABMON_12)
        return (char *)short_month_names[item - ABMON_1];
    if (item >= MON_1 && item <= MON_12)
        return (char *)month_names[item - MON_1];
    switch (item) {
    case CODESET:
        return __symcrete_utf8 ? (char *)"UTF-8" : (char *)"ANSI_X3.4-1968";
    case RADIXCHAR:
        return (char *)".";
    case AM_STR:
        return (char *)"AM";
    case PM_STR:
        return (char *)"PM";
    case D_T_FMT:
        return (char *)"%a %b %e %H:%M:%S %Y";
    case D_FMT:
        return (char *)"%m/%d/%y";
    case T_FMT:
        return (char *)"%H:%M:%S";
    case T_FMT_AMPM:
        return (char *)"%I:%M:%S %p";
    case YESEXPR:
        return (char *)"^[yY]";
    case NOEXPR:
        return (char *)"^[nN]";
    case CRNCYSTR:
        return (char *)"-";
    default:
        return (char *)"";
    }
}
ALIAS(nl_langinfo, __symcrete_nl_langinfo);

char *nl_langinfo_l(nl_item item, locale_t locale)
{
    (void)locale;
    return __symcrete_nl_langinfo(item);
}
ALIAS(__nl_langinfo_l, nl_langinfo_l);
