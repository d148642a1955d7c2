// <ctype.h> as functions, for the C locale, with and without a locale argument.
// A character outside of -128 to 255 belongs to no class (glibc would read outside of its table).
#define _GNU_SOURCE
#include <ctype.h>

#include "../internal.h"
#include "tables.h"

#undef isascii
#undef toascii
#undef _tolower
#undef _toupper

static inline int class_of(int c, int bits)
{
    return c >= -128 && c < 256 ? __symcrete_classes[128 + c] & bits : 0;
}

#define CLASS(name, bit)                                                                                               \
    int(name)(int c)                                                                                                   \
    {                                                                                                                  \
        return class_of(c, bit);                                                                                       \
    }                                                                                                                  \
    int(name##_l)(int c, locale_t locale)                                                                              \
    {                                                                                                                  \
        (void)locale;                                                                                                  \
        return class_of(c, bit);                                                                                       \
    }                                                                                                                  \
    extern __typeof(name##_l) __##name##_l __attribute__((alias(#name "_l")));

CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

int isctype(int c, int mask)
{
    return class_of(c, mask);
}

int(tolower)(int c)
{
    return c >= -128 && c < 256 ? __symcrete_lower[128 + c] : c;
}

int(toupper)(int c)
{
    return c >= -128 && c < 256 ? __symcrete_upper[128 + c] : c;
}

int(tolower_l)(int c, locale_t locale)
{
    (void)locale;
    return (tolower)(c);
}
ALIAS(__tolower_l, tolower_l);

int(toupper_l)(int c, locale_t locale)
{
    (void)locale;
    return (toupper)(c);
}
ALIAS(__toupper_l, toupper_l);

int(_tolower)(int c)
{
    return (tolower)(c);
}

int(_toupper)(int c)
{
    return (toupper)(c);
}

int isascii(int c)
{
    return (c & ~0x7f) == 0;
}

int toascii(int c)
{
    return c & 0x7f;
}
