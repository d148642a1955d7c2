// wcstol and its relatives. Neither <wchar.h> nor <inttypes.h> is included: newer glibc headers rename these functions.
#include <stddef.h>
#include <stdint.h>

#define CHARACTER wchar_t
#include "../internal.h"
#include "../stdlib/integer_parser.h"

#define PARSER(type, name, max, min_magnitude, sign)                                                                   \
    type name(const wchar_t *restrict text, wchar_t **restrict end, int base);                                         \
    type __isoc23_##name(const wchar_t *restrict text, wchar_t **restrict end, int base);                              \
    type name(const wchar_t *restrict text, wchar_t **restrict end, int base)                                          \
    {                                                                                                                  \
        struct integer_kind kind = {(unsigned long long)(max), min_magnitude, sign, 0};                                \
        return (type)parse_integer(text, end, base, kind);                                                             \
    }                                                                                                                  \
    type __isoc23_##name(const wchar_t *restrict text, wchar_t **restrict end, int base)                               \
    {                                                                                                                  \
        struct integer_kind kind = {(unsigned long long)(max), min_magnitude, sign, 1};                                \
        return (type)parse_integer(text, end, base, kind);                                                             \
    }

#define SIGNED_PARSER(type, name, max) PARSER(type, name, max, (unsigned long long)(max) + 1, 1)
#define UNSIGNED_PARSER(type, name, max) PARSER(type, name, max, max, 0)

SIGNED_PARSER(long, wcstol, LONG_MAX)
SIGNED_PARSER(long long, wcstoll, LLONG_MAX)
SIGNED_PARSER(intmax_t, wcstoimax, INTMAX_MAX)
UNSIGNED_PARSER(unsigned long, wcstoul, ULONG_MAX)
UNSIGNED_PARSER(unsigned long long, wcstoull, ULLONG_MAX)
UNSIGNED_PARSER(uintmax_t, wcstoumax, UINTMAX_MAX)
