// strtol and its relatives. <stdlib.h> is not included: under newer glibc it renames these very functions.
#include <stddef.h>
#include <stdint.h>

#define CHARACTER char
#include "integer_parser.h"
#include "../internal.h"

struct __locale_struct;

#define KIND(max, min_magnitude, sign, binary)                                                                         \
    (struct integer_kind)                                                                                              \
    {                                                                                                                  \
        (unsigned long long)(max), min_magnitude, sign, binary                                                         \
    }

// Defines one result type's functions: plain, with C23's binary prefix, with a locale, and glibc's old internal name.
#define PARSER(type, name, max, min_magnitude, sign)                                                                   \
    type name(const char *restrict text, char **restrict end, int base);                                               \
    type __isoc23_##name(const char *restrict text, char **restrict end, int base);                                    \
    type name##_l(const char *restrict text, char **restrict end, int base, struct __locale_struct *locale);           \
    type __##name##_internal(const char *restrict text, char **restrict end, int base, int group);                     \
    type name(const char *restrict text, char **restrict end, int base)                                                \
    {                                                                                                                  \
        return (type)parse_integer(text, end, base, KIND(max, min_magnitude, sign, 0));                                \
    }                                                                                                                  \
    type __isoc23_##name(const char *restrict text, char **restrict end, int base)                                     \
    {                                                                                                                  \
        return (type)parse_integer(text, end, base, KIND(max, min_magnitude, sign, 1));                                \
    }                                                                                                                  \
    type name##_l(const char *restrict text, char **restrict end, int base, struct __locale_struct *locale)            \
    {                                                                                                                  \
        (void)locale;                                                                                                  \
        return (type)parse_integer(text, end, base, KIND(max, min_magnitude, sign, 0));                                \
    }                                                                                                                  \
    extern __typeof(name##_l) __##name##_l __attribute__((alias(#name "_l")));                                         \
    type __##name##_internal(const char *restrict text, char **restrict end, int base, int group)                      \
    {                                                                                                                  \
        (void)group;                                                                                                   \
        return (type)parse_integer(text, end, base, KIND(max, min_magnitude, sign, 0));                                \
    }

#define SIGNED_PARSER(type, name, max) PARSER(type, name, max, (unsigned long long)(max) + 1, 1)
#define UNSIGNED_PARSER(type, name, max) PARSER(type, name, max, max, 0)

SIGNED_PARSER(long, strtol, LONG_MAX)
SIGNED_PARSER(long long, strtoll, LLONG_MAX)
SIGNED_PARSER(intmax_t, strtoimax, INTMAX_MAX)
UNSIGNED_PARSER(unsigned long, strtoul, ULONG_MAX)
UNSIGNED_PARSER(unsigned long long, strtoull, ULLONG_MAX)
UNSIGNED_PARSER(uintmax_t, strtoumax, UINTMAX_MAX)

ALIAS(strtoq, strtoll);
ALIAS(strtouq, strtoull);
