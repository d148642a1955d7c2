// Complex multiplication and division as compilers call them, against libgcc; parts, conjugates and projections against libm.
#define _GNU_SOURCE
#include <complex.h>
#include <float.h>
#include <math.h>

#include "differential.h"

// Any NaN is as good as another where the compiler is free to swap operands.
static int same_part(long double left, long double right)
{
    if (isnan(left) || isnan(right))
        return isnan(left) && isnan(right);
    return left == right && signbit(left) == signbit(right);
}

// A number of any size: special ones, small whole ones, and random bits. The range of exponents is that of the type.
static long double random_part(int lowest_exponent, int highest_exponent)
{
    static const long double special[] = {0, -0.0L, 1, -1, INFINITY, -INFINITY, NAN, 0.5L, 3};
    switch (random_below(4)) {
    case 0:
        return special[random_below(sizeof special / sizeof special[0])];
    case 1:
        return (int)random_below(21) - 10;
    case 2: // near the ends of the range, where division scales
        return ldexpl((long double)(int64_t)random_bits(), (random_below(2) ? lowest_exponent : highest_exponent) - 63
                                                               + (int)random_below(130) - 65);
    default:
        return ldexpl((long double)(int64_t)random_bits(),
                      lowest_exponent + (int)random_below((unsigned)(highest_exponent - lowest_exponent)) - 63);
    }
}

#define ARITHMETIC(letter, type, lowest, highest)                                                                      \
    type _Complex __mul##letter##c3(type, type, type, type);                                                           \
    type _Complex __div##letter##c3(type, type, type, type);                                                           \
    OURS(__mul##letter##c3);                                                                                           \
    OURS(__div##letter##c3);                                                                                           \
    static void arithmetic_##letter(void)                                                                              \
    {                                                                                                                  \
        for (int round = 0; round < 200000; round++) {                                                                 \
            type a = (type)random_part(lowest, highest), b = (type)random_part(lowest, highest);                       \
            type c = (type)random_part(lowest, highest), d = (type)random_part(lowest, highest);                       \
            type _Complex product = __mul##letter##c3(a, b, c, d), ours = our___mul##letter##c3(a, b, c, d);           \
            CHECK(same_part(__real__ product, __real__ ours) && same_part(__imag__ product, __imag__ ours),            \
                  #type ": (%La, %La) * (%La, %La)", (long double)a, (long double)b, (long double)c, (long double)d);  \
            type _Complex quotient = __div##letter##c3(a, b, c, d);                                                    \
            ours = our___div##letter##c3(a, b, c, d);                                                                  \
            CHECK(same_part(__real__ quotient, __real__ ours) && same_part(__imag__ quotient, __imag__ ours),          \
                  #type ": (%La, %La) / (%La, %La)", (long double)a, (long double)b, (long double)c, (long double)d);  \
        }                                                                                                              \
    }

ARITHMETIC(s, float, FLT_MIN_EXP, FLT_MAX_EXP)
ARITHMETIC(d, double, DBL_MIN_EXP, DBL_MAX_EXP)
ARITHMETIC(x, long double, LDBL_MIN_EXP, LDBL_MAX_EXP)

#define PARTS(suffix, type, lowest, highest)                                                                           \
    OURS(creal##suffix);                                                                                               \
    OURS(cimag##suffix);                                                                                               \
    OURS(conj##suffix);                                                                                                \
    OURS(cproj##suffix);                                                                                               \
    static void parts##suffix(void)                                                                                    \
    {                                                                                                                  \
        for (int round = 0; round < 20000; round++) {                                                                  \
            type _Complex number, theirs, ours;                                                                        \
            __real__ number = (type)random_part(lowest, highest);                                                      \
            __imag__ number = (type)random_part(lowest, highest);                                                      \
            CHECK(same_part(creal##suffix(number), our_creal##suffix(number)), "creal" #suffix);                       \
            CHECK(same_part(cimag##suffix(number), our_cimag##suffix(number)), "cimag" #suffix);                       \
            theirs = conj##suffix(number), ours = our_conj##suffix(number);                                            \
            CHECK(same_part(__real__ theirs, __real__ ours) && same_part(__imag__ theirs, __imag__ ours),              \
                  "conj" #suffix "(%La, %La)", (long double)__real__ number, (long double)__imag__ number);            \
            theirs = cproj##suffix(number), ours = our_cproj##suffix(number);                                          \
            CHECK(same_part(__real__ theirs, __real__ ours) && same_part(__imag__ theirs, __imag__ ours),              \
                  "cproj" #suffix "(%La, %La)", (long double)__real__ number, (long double)__imag__ number);           \
        }                                                                                                              \
    }

PARTS(, double, DBL_MIN_EXP, DBL_MAX_EXP)
PARTS(f, float, FLT_MIN_EXP, FLT_MAX_EXP)
PARTS(l, long double, LDBL_MIN_EXP, LDBL_MAX_EXP)

void test_complex(void)
{
    arithmetic_s();
    arithmetic_d();
    arithmetic_x();
    parts();
    partsf();
    partsl();
}
