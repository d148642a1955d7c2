// What glibc's <math.h> macros expand to: classification of floating-point numbers by their bits. The functions of
// <math.h> themselves belong to the engine.
#define _GNU_SOURCE
#include <float.h>
#include <math.h>
#include <stdint.h>

#include "../internal.h"

#undef isnan
#undef isinf
#undef finite
#undef signbit

int signgam;
ALIAS(__signgam, signgam);

// One number's fields: the exponent as stored, whether it is the largest, and the bits after the leading one.
struct fields {
    int negative, exponent, is_largest_exponent;
    uint64_t fraction;
    int leading_bit; // explicit for x87 numbers
};

static struct fields fields_of_float(float value)
{
    union {
        float value;
        uint32_t bits;
    } number = {value};
    int exponent = (int)(number.bits >> 23 & 0xff);
    return (struct fields){number.bits >> 31 != 0, exponent, exponent == 0xff, number.bits & 0x7fffff, exponent != 0};
}

static struct fields fields_of_double(double value)
{
    union {
        double value;
        uint64_t bits;
    } number = {value};
    int exponent = (int)(number.bits >> 52 & 0x7ff);
    return (struct fields){number.bits >> 63 != 0, exponent, exponent == 0x7ff, number.bits & 0xfffffffffffff,
                           exponent != 0};
}

#if LDBL_MANT_DIG == 64
static struct fields fields_of_long_double(long double value)
{
    union {
        long double value;
        struct {
            uint64_t significand;
            uint16_t sign_and_exponent;
        } fields;
    } number = {value};
    int exponent = number.fields.sign_and_exponent & 0x7fff;
    return (struct fields){number.fields.sign_and_exponent >> 15, exponent, exponent == 0x7fff,
                           number.fields.significand << 1 >> 1, (int)(number.fields.significand >> 63)};
}
#else
static struct fields fields_of_long_double(long double value)
{
    return fields_of_double((double)value);
}
#endif

static int classify(struct fields number)
{
    if (number.is_largest_exponent)
        return number.fraction == 0 ? FP_INFINITE : FP_NAN;
    if (number.exponent == 0 && !number.leading_bit)
        return number.fraction == 0 ? FP_ZERO : FP_SUBNORMAL;
    return FP_NORMAL;
}

static int is_nan(struct fields number)
{
    return number.is_largest_exponent && number.fraction != 0;
}

static int infinity_sign(struct fields number)
{
    if (!number.is_largest_exponent || number.fraction != 0)
        return 0;
    return number.negative ? -1 : 1;
}

// Signalling NaNs have the first bit of the fraction clear.
static int is_signalling(struct fields number, int fraction_bits)
{
    return is_nan(number) && (number.fraction >> (fraction_bits - 1) & 1) == 0;
}

#define CLASSIFIERS(type, suffix, fields, fraction_bits)                                                               \
    int __fpclassify##suffix(type value)                                                                               \
    {                                                                                                                  \
        return classify(fields(value));                                                                                \
    }                                                                                                                  \
    int __signbit##suffix(type value)                                                                                  \
    {                                                                                                                  \
        return fields(value).negative;                                                                                 \
    }                                                                                                                  \
    int __isnan##suffix(type value)                                                                                    \
    {                                                                                                                  \
        return is_nan(fields(value));                                                                                  \
    }                                                                                                                  \
    int __isinf##suffix(type value)                                                                                    \
    {                                                                                                                  \
        return infinity_sign(fields(value));                                                                           \
    }                                                                                                                  \
    int __finite##suffix(type value)                                                                                   \
    {                                                                                                                  \
        return !fields(value).is_largest_exponent;                                                                     \
    }                                                                                                                  \
    int __issignaling##suffix(type value)                                                                              \
    {                                                                                                                  \
        return is_signalling(fields(value), fraction_bits);                                                            \
    }                                                                                                                  \
    extern __typeof(__isnan##suffix) isnan##suffix __attribute__((alias("__isnan" #suffix)));                          \
    extern __typeof(__isinf##suffix) isinf##suffix __attribute__((alias("__isinf" #suffix)));                          \
    extern __typeof(__finite##suffix) finite##suffix __attribute__((alias("__finite" #suffix)));

CLASSIFIERS(float, f, fields_of_float, 23)
CLASSIFIERS(double, , fields_of_double, 52)
CLASSIFIERS(long double, l, fields_of_long_double, 63)

int __iseqsigf(float left, float right)
{
    return left == right;
}

int __iseqsig(double left, double right)
{
    return left == right;
}

int __iseqsigl(long double left, long double right)
{
    return left == right;
}
