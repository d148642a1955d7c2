// strtof, strtod, strtold and atof: correctly rounded, with errno as glibc sets it.
#include <errno.h>
#include <float.h>
#include <stddef.h>
#include <stdint.h>

#include "../internal.h"
#include "float_text.h"

struct __locale_struct;
float strtof(const char *restrict text, char **restrict end);
double strtod(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end);
double atof(const char *text);

static const struct float_format float_format = {FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP, 130};
static const struct float_format double_format = {DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP, 800};

static struct float_text read(const char *text, char **end)
{
    struct float_text result = __symcrete_read_float_text(text);
    if (end != NULL)
        *end = (char *)result.end;
    return result;
}

// The fields of the result, where the leading bit of the significand is explicit (normal numbers have it set).
static struct float_bits assemble(const struct float_text *text, const struct float_format *format)
{
    int special = format->max_exponent - format->min_exponent + 2;
    uint64_t top_bit = (uint64_t)1 << (format->precision - 1), quiet_bit = top_bit >> 1;
    struct float_bits bits = {0};
    switch (text->class) {
    case FLOAT_NOTHING:
        return bits;
    case FLOAT_INFINITE:
        return (struct float_bits){top_bit, special, 0};
    case FLOAT_NAN:
        return (struct float_bits){top_bit | quiet_bit | (text->nan_payload & (quiet_bit - 1)), special, 0};
    case FLOAT_FINITE:
        bits = __symcrete_nearest_float(text, format);
        if (bits.out_of_range)
            errno = ERANGE;
        if (bits.biased_exponent == special)
            bits.significand = top_bit;
        return bits;
    }
    return bits;
}

#if FLT_EVAL_METHOD == 0
// Powers of ten that a double holds exactly. A product or quotient of two exact numbers is rounded once, hence
// correctly.
static const double exact_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int short_decimal(const struct float_text *text, uint64_t most, long most_power, long *power)
{
    *power = text->exponent - text->digit_count;
    return text->class == FLOAT_FINITE && !text->hexadecimal && text->digit_count <= 19 && text->leading <= most
           && *power >= -most_power && *power <= most_power;
}
#endif

float strtof(const char *restrict text, char **restrict end)
{
    struct float_text value = read(text, end);
#if FLT_EVAL_METHOD == 0
    long power;
    if (short_decimal(&value, (uint64_t)1 << 24, 10, &power)) {
        float magnitude = (float)value.leading;
        magnitude = power < 0 ? magnitude / (float)exact_powers[-power] : magnitude * (float)exact_powers[power];
        return value.negative ? -magnitude : magnitude;
    }
#endif
    struct float_bits bits = assemble(&value, &float_format);
    union {
        uint32_t bits;
        float value;
    } result = {.bits = (uint32_t)(bits.significand & 0x7fffff) | (uint32_t)bits.biased_exponent << 23};
    if (value.negative)
        result.bits |= (uint32_t)1 << 31;
    return result.value;
}

double strtod(const char *restrict text, char **restrict end)
{
    struct float_text value = read(text, end);
#if FLT_EVAL_METHOD == 0
    long power;
    if (short_decimal(&value, (uint64_t)1 << 53, 22, &power)) {
        double magnitude = (double)value.leading;
        magnitude = power < 0 ? magnitude / exact_powers[-power] : magnitude * exact_powers[power];
        return value.negative ? -magnitude : magnitude;
    }
#endif
    struct float_bits bits = assemble(&value, &double_format);
    union {
        uint64_t bits;
        double value;
    } result = {.bits = (bits.significand & 0xfffffffffffff) | (uint64_t)bits.biased_exponent << 52};
    if (value.negative)
        result.bits |= (uint64_t)1 << 63;
    return result.value;
}

#if LDBL_MANT_DIG == 64
static const struct float_format long_double_format = {LDBL_MANT_DIG, LDBL_MIN_EXP, LDBL_MAX_EXP, 11600};

long double strtold(const char *restrict text, char **restrict end)
{
    struct float_text value = read(text, end);
    struct float_bits bits = assemble(&value, &long_double_format);
    union {
        struct {
            uint64_t significand;
            uint16_t sign_and_exponent;
        } fields;
        long double value;
    } result = {.fields = {bits.significand, (uint16_t)(bits.biased_exponent | (value.negative ? 0x8000 : 0))}};
    return result.value;
}
#else
// Where long double is wider than what is handled here, it has the precision of double.
long double strtold(const char *restrict text, char **restrict end)
{
    return strtod(text, end);
}
#endif

double atof(const char *text)
{
    return strtod(text, NULL);
}

#define WITH_LOCALE(type, name)                                                                                        \
    type name##_l(const char *restrict text, char **restrict end, struct __locale_struct *locale);                     \
    type name##_l(const char *restrict text, char **restrict end, struct __locale_struct *locale)                      \
    {                                                                                                                  \
        (void)locale;                                                                                                  \
        return name(text, end);                                                                                        \
    }                                                                                                                  \
    extern __typeof(name##_l) __##name##_l __attribute__((alias(#name "_l")));                                         \
    type __##name##_internal(const char *restrict text, char **restrict end, int group);                               \
    type __##name##_internal(const char *restrict text, char **restrict end, int group)                                \
    {                                                                                                                  \
        (void)group;                                                                                                   \
        return name(text, end);                                                                                        \
    }

WITH_LOCALE(float, strtof)
WITH_LOCALE(double, strtod)
WITH_LOCALE(long double, strtold)

// _Float32 and its siblings have the representations of the standard types.
ALIAS(strtof32, strtof);
ALIAS(strtof64, strtod);
ALIAS(strtof32x, strtod);
ALIAS(strtof64x, strtold);
