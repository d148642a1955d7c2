// The program's locale: setlocale and localeconv. There are two: "C" (also called "POSIX"), and "C.UTF-8", which
// differs only in how wide characters are encoded.
#define _GNU_SOURCE
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"
#include "locale.h"

int __symcrete_utf8;

static const char plain_name[] = "C", utf8_name[] = "C.UTF-8";

enum { CATEGORIES = 13 }; // LC_ALL, with number 6, is not one

static const char *const category_names[CATEGORIES] = {
    [LC_CTYPE] = "LC_CTYPE",
    [LC_NUMERIC] = "LC_NUMERIC",
    [LC_TIME] = "LC_TIME",
    [LC_COLLATE] = "LC_COLLATE",
    [LC_MONETARY] = "LC_MONETARY",
    [LC_MESSAGES] = "LC_MESSAGES",
    [LC_PAPER] = "LC_PAPER",
    [LC_NAME] = "LC_NAME",
    [LC_ADDRESS] = "LC_ADDRESS",
    [LC_TELEPHONE] = "LC_TELEPHONE",
    [LC_MEASUREMENT] = "LC_MEASUREMENT",
    [LC_IDENTIFICATION] = "LC_IDENTIFICATION",
};

// Which categories have C.UTF-8 instead of C, a bit each.
static unsigned utf8_categories;

static const char *category_locale(int category)
{
    return utf8_categories >> category & 1 ? utf8_name : plain_name;
}

static const char *known_locale(const char *name, size_t length)
{
    static const struct {
        const char *name, *canonical;
    } known[] = {{"C", plain_name}, {"POSIX", plain_name}, {"C.UTF-8", utf8_name}, {"C.utf8", utf8_name}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
            return known[i].canonical;
    return NULL;
}

const char *__symcrete_find_locale(int category, const char *name)
{
    if (*name != '\0')
        return known_locale(name, strlen(name));
    // The user's choice. Locales that are not known here behave as "C".
    const char *variables[] = {"LC_ALL", category_names[category], "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && *value != '\0') {
            const char *found = known_locale(value, strlen(value));
            return found != NULL ? found : plain_name;
        }
    }
    return plain_name;
}

// The list that setlocale(LC_ALL, NULL) gives if the categories differ: LC_CTYPE=C;LC_NUMERIC=C.UTF-8 and so on.
static char *all_names(void)
{
    static char text[512];
    const char *first = category_locale(0);
    int category = 1;
    while (category < CATEGORIES && (category == LC_ALL || category_locale(category) == first))
        category++;
    if (category == CATEGORIES)
        return (char *)first;
    char *out = text;
    for (category = 0; category < CATEGORIES; category++) {
        if (category == LC_ALL)
            continue;
        out = __stpcpy(out, category_names[category]);
        *out++ = '=';
        out = __stpcpy(out, category_locale(category));
        *out++ = ';';
    }
    out[-1] = '\0';
    return text;
}

// Reads such a list; returns the new set of UTF-8 categories or -1.
static int parse_all_names(const char *text)
{
    unsigned result = utf8_categories;
    while (*text != '\0') {
        size_t name_length = strcspn(text, "=");
        int category = 0;
        while (category < CATEGORIES
               && (category == LC_ALL || strlen(category_names[category]) != name_length
                   || strncmp(category_names[category], text, name_length) != 0))
            category++;
        if (category == CATEGORIES || text[name_length] == '\0')
            return -1;
        text += name_length + 1;
        size_t length = strcspn(text, ";");
        const char *locale = known_locale(text, length);
        if (locale == NULL)
            return -1;
        result = (result & ~(1u << category)) | (unsigned)(locale == utf8_name) << category;
        text += length + (text[length] == ';');
    }
    return (int)result;
}

char *setlocale(int category, const char *name)
{
    if (category < 0 || category >= CATEGORIES) {
        errno = EINVAL;
        return NULL;
    }
    if (name != NULL && category == LC_ALL && strchr(name, '=') != NULL) {
        int parsed = parse_all_names(name);
        if (parsed < 0)
            return NULL;
        utf8_categories = (unsigned)parsed;
    } else if (name != NULL) {
        unsigned result = utf8_categories;
        for (int i = 0; i < CATEGORIES; i++) {
            if (i == LC_ALL || (category != LC_ALL && category != i))
                continue;
            const char *found = __symcrete_find_locale(i, name);
            if (found == NULL)
                return NULL;
            result = (result & ~(1u << i)) | (unsigned)(found == utf8_name) << i;
        }
        utf8_categories = result;
    }
    __symcrete_utf8 = (int)(utf8_categories >> LC_CTYPE & 1);
    return category == LC_ALL ? all_names() : (char *)category_locale(category);
}

struct lconv *localeconv(void)
{
    static char empty[1], point[] = ".";
    static struct lconv conventions;
    memset(&conventions, CHAR_MAX, sizeof conventions);
    conventions.decimal_point = point;
    conventions.thousands_sep = conventions.grouping = empty;
    conventions.int_curr_symbol = conventions.currency_symbol = empty;
    conventions.mon_decimal_point = conventions.mon_thousands_sep = conventions.mon_grouping = empty;
    conventions.positive_sign = conventions.negative_sign = empty;
    return &conventions;
}
