// What <complex.h> has that only takes numbers apart and joins them: parts, conjugates, projections.
#define _GNU_SOURCE
#include <complex.h>

#include "names.h"

#define PARTS(suffix, type)                                                                                            \
    type creal##suffix(type _Complex number)                                                                           \
    {                                                                                                                  \
        return __real__ number;                                                                                        \
    }                                                                                                                  \
    type cimag##suffix(type _Complex number)                                                                           \
    {                                                                                                                  \
        return __imag__ number;                                                                                        \
    }                                                                                                                  \
    type _Complex conj##suffix(type _Complex number)                                                                   \
    {                                                                                                                  \
        return ~number;                                                                                                \
    }                                                                                                                  \
    /* All infinities are one point on the sphere; which side of the real axis they came from stays in the sign. */    \
    type _Complex cproj##suffix(type _Complex number)                                                                  \
    {                                                                                                                  \
        if (__builtin_isinf(__real__ number) || __builtin_isinf(__imag__ number)) {                                    \
            __real__ number = __builtin_inf();                                                                         \
            __imag__ number = __builtin_copysign##suffix(0, __imag__ number);                                          \
        }                                                                                                              \
        return number;                                                                                                 \
    }

PARTS(, double)
PARTS(f, float)
PARTS(l, long double)

FLOAT_N_NAMES(creal)
FLOAT_N_NAMES(cimag)
FLOAT_N_NAMES(conj)
FLOAT_N_NAMES(cproj)
