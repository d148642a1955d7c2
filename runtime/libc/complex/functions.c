// The functions of <complex.h>. The engine computes them by the host's libm on parts (crates/exec/libm/shim.c); here the parts
// become complex numbers, in the way in which this target passes them. Multiplication and division are in arithmetic.c.
#define _GNU_SOURCE
#include <complex.h>

#include "names.h"

#define JOIN(type, real, imaginary)                                                                                    \
    ({                                                                                                                 \
        type _Complex joined;                                                                                          \
        __real__ joined = (real);                                                                                      \
        __imag__ joined = (imaginary);                                                                                 \
        joined;                                                                                                        \
    })

#define TO_COMPLEX(name, type)                                                                                         \
    void __symcrete_##name(type, type, type *, type *);                                                                \
    type _Complex name(type _Complex number)                                                                           \
    {                                                                                                                  \
        type real, imaginary;                                                                                          \
        __symcrete_##name(__real__ number, __imag__ number, &real, &imaginary);                                        \
        return JOIN(type, real, imaginary);                                                                            \
    }

#define POWER(name, type)                                                                                              \
    void __symcrete_##name(type, type, type, type, type *, type *);                                                    \
    type _Complex name(type _Complex base, type _Complex exponent)                                                     \
    {                                                                                                                  \
        type real, imaginary;                                                                                          \
        __symcrete_##name(__real__ base, __imag__ base, __real__ exponent, __imag__ exponent, &real, &imaginary);      \
        return JOIN(type, real, imaginary);                                                                            \
    }

#define TO_REAL(name, type)                                                                                            \
    type __symcrete_##name(type, type);                                                                                \
    type name(type _Complex number)                                                                                    \
    {                                                                                                                  \
        return __symcrete_##name(__real__ number, __imag__ number);                                                    \
    }

#define FAMILY(shape, name) shape(name, double) shape(name##f, float) shape(name##l, long double) FLOAT_N_NAMES(name)

FAMILY(TO_COMPLEX, cacos)
FAMILY(TO_COMPLEX, cacosh)
FAMILY(TO_COMPLEX, casin)
FAMILY(TO_COMPLEX, casinh)
FAMILY(TO_COMPLEX, catan)
FAMILY(TO_COMPLEX, catanh)
FAMILY(TO_COMPLEX, ccos)
FAMILY(TO_COMPLEX, ccosh)
FAMILY(TO_COMPLEX, cexp)
FAMILY(TO_COMPLEX, clog)
FAMILY(TO_COMPLEX, clog10)
FAMILY(TO_COMPLEX, csin)
FAMILY(TO_COMPLEX, csinh)
FAMILY(TO_COMPLEX, csqrt)
FAMILY(TO_COMPLEX, ctan)
FAMILY(TO_COMPLEX, ctanh)
FAMILY(POWER, cpow)
FAMILY(TO_REAL, cabs)
FAMILY(TO_REAL, carg)
