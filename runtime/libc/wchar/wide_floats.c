// wcstod and its relatives: the text that can belong to a number is ASCII, so it is read as narrow text.
#include <stddef.h>
#include <stdlib.h>
#include <wchar.h>

#include "../internal.h"

static int can_be_in_number(wchar_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+'
           || c == '-' || c == '(' || c == ')' || c == '_';
}

// A narrow copy of the text after white space, as far as it can be a number; a null pointer if there is no memory.
static char *narrow_copy(const wchar_t *text)
{
    size_t length = 0;
    while (can_be_in_number(text[length]))
        length++;
    char *copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    for (size_t i = 0; i < length; i++)
        copy[i] = (char)text[i];
    copy[length] = '\0';
    return copy;
}

#define PARSER(type, name, narrow_name)                                                                                \
    type name(const wchar_t *restrict text, wchar_t **restrict end)                                                    \
    {                                                                                                                  \
        const wchar_t *start = text;                                                                                   \
        while (*start == ' ' || (*start >= '\t' && *start <= '\r'))                                                    \
            start++;                                                                                                   \
        char *copy = narrow_copy(start), *copy_end = copy;                                                             \
        type value = copy == NULL ? 0 : narrow_name(copy, &copy_end);                                                  \
        if (end != NULL)                                                                                               \
            *end = (wchar_t *)(copy_end == copy ? text : start + (copy_end - copy));                                   \
        free(copy);                                                                                                    \
        return value;                                                                                                  \
    }

PARSER(float, wcstof, strtof)
PARSER(double, wcstod, strtod)
PARSER(long double, wcstold, strtold)
