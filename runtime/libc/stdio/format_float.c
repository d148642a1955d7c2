// Floating-point conversions of the printf family: taking numbers apart, and laying out %e, %f and %g.
#include "format.h"

#include <float.h>

static struct float_parts parts_of_double(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
    int exponent = (int)(bits >> 52 & 0x7FF);
    struct float_parts parts = {.negative = bits >> 63};
    if (exponent == 0x7FF) {
        parts.infinite = fraction == 0;
        parts.not_a_number = fraction != 0;
    } else if (exponent == 0) {
        parts.mantissa = fraction;
        parts.exponent = -1074;
    } else {
        parts.mantissa = fraction | 1ULL << 52;
        parts.exponent = exponent - 1075;
    }
    return parts;
}

#if LDBL_MANT_DIG == 64
// x87: an explicit leading bit, then 15 bits of exponent and the sign.
static struct float_parts parts_of_long_double(long double number)
{
    uint64_t mantissa;
    uint16_t top;
    memcpy(&mantissa, &number, sizeof mantissa);
    memcpy(&top, (const char *)&number + sizeof mantissa, sizeof top);
    int exponent = top & 0x7FFF;
    struct float_parts parts = {.negative = top >> 15, .is_extended = true};
    if (exponent == 0x7FFF) {
        parts.infinite = mantissa << 1 == 0;
        parts.not_a_number = mantissa << 1 != 0;
    } else {
        parts.mantissa = mantissa;
        parts.exponent = (exponent == 0 ? 1 : exponent) - 16383 - 63;
    }
    return parts;
}
#else
static struct float_parts parts_of_long_double(long double number)
{
    return parts_of_double((double)number);
}
#endif

static bool is_upper(const struct conversion *conversion)
{
    return conversion->letter < 'a';
}

static const char *sign_of(const struct conversion *conversion, bool negative)
{
    return negative ? "-" : conversion->flags & FORMAT_PLUS ? "+" : conversion->flags & FORMAT_SPACE ? " " : "";
}

static void emit_special(struct sink *sink, const struct conversion *conversion, const struct float_parts *parts)
{
    struct conversion unfilled = *conversion;
    unfilled.flags &= ~FORMAT_ZERO;
    const char *name = parts->infinite ? is_upper(conversion) ? "INF" : "inf" : is_upper(conversion) ? "NAN" : "nan";
    __format_field(sink, &unfilled, sign_of(conversion, parts->negative), 0, name, 3);
}

// What is printed around the digits, so that the field can be padded before any of it is emitted.
struct layout {
    const char *sign;
    int fraction_digits; // after the point
    bool has_point;
    char exponent[8]; // "e+05", or nothing
    size_t exponent_length;
};

// Emits what fills the width on the left, and the sign. Returns how much is left to fill on the right.
static size_t open_field(struct sink *sink, const struct conversion *conversion, const struct layout *layout,
                         size_t integer_digits)
{
    size_t used = strlen(layout->sign) + integer_digits + layout->has_point + (size_t)layout->fraction_digits +
                  layout->exponent_length;
    size_t padding = (size_t)conversion->width > used ? (size_t)conversion->width - used : 0;
    bool left = conversion->flags & FORMAT_LEFT;
    bool zeros = !left && (conversion->flags & FORMAT_ZERO);
    if (padding > 0 && !left && !zeros) {
        __format_fill(sink, ' ', padding);
    }
    format_put(sink, layout->sign, strlen(layout->sign));
    if (padding > 0 && zeros) {
        __format_fill(sink, '0', padding);
    }
    return left ? padding : 0;
}

// Emits `count` digits from position `from`; those that the decimal does not have are zeros.
static void emit_digits(struct sink *sink, const struct decimal *decimal, int from, int count)
{
    int stored = decimal->count - from;
    stored = stored < 0 ? 0 : stored < count ? stored : count;
    format_put(sink, decimal->digits + from, (size_t)stored);
    if (count > stored) {
        __format_fill(sink, '0', (size_t)(count - stored));
    }
}

static void emit_fixed(struct sink *sink, const struct conversion *conversion, const struct layout *layout,
                       const struct decimal *decimal)
{
    int integer_digits = decimal->point > 0 ? decimal->point : 1;
    size_t padding = open_field(sink, conversion, layout, (size_t)integer_digits);
    if (decimal->point > 0) {
        emit_digits(sink, decimal, 0, decimal->point);
    } else {
        format_put(sink, "0", 1);
    }
    if (layout->has_point) {
        format_put(sink, ".", 1);
    }
    int after = layout->fraction_digits;
    if (decimal->point >= 0) {
        emit_digits(sink, decimal, decimal->point, after);
    } else {
        int zeros = -decimal->point < after ? -decimal->point : after;
        __format_fill(sink, '0', (size_t)zeros);
        emit_digits(sink, decimal, 0, after - zeros);
    }
    __format_fill(sink, ' ', padding);
}

static void emit_scientific(struct sink *sink, const struct conversion *conversion, struct layout *layout,
                            const struct decimal *decimal)
{
    int exponent = decimal->point - 1;
    unsigned magnitude = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
    char *at = layout->exponent;
    *at++ = is_upper(conversion) ? 'E' : 'e';
    *at++ = exponent < 0 ? '-' : '+';
    unsigned scale = magnitude >= 1000 ? 1000 : magnitude >= 100 ? 100 : 10;
    for (; scale > 0; scale /= 10) {
        *at++ = (char)('0' + magnitude / scale % 10);
    }
    layout->exponent_length = (size_t)(at - layout->exponent);
    size_t padding = open_field(sink, conversion, layout, 1);
    emit_digits(sink, decimal, 0, 1);
    if (layout->has_point) {
        format_put(sink, ".", 1);
    }
    emit_digits(sink, decimal, 1, layout->fraction_digits);
    format_put(sink, layout->exponent, layout->exponent_length);
    __format_fill(sink, ' ', padding);
}

static int effective_precision(const struct conversion *conversion)
{
    return conversion->precision < 0 ? 6 : conversion->precision;
}

// %g: scientific for very large and very small numbers, fixed otherwise; without the # flag, no trailing zeros.
static void emit_general(struct sink *sink, const struct conversion *conversion, struct layout *layout,
                         const struct decimal *decimal)
{
    int significant = effective_precision(conversion) > 0 ? effective_precision(conversion) : 1;
    int exponent = decimal->point - 1;
    bool fixed = exponent < significant && exponent >= -4;
    int shown = significant;
    if (!(conversion->flags & FORMAT_ALTERNATE)) {
        shown = decimal->count < significant ? decimal->count : significant;
        while (shown > 1 && decimal->digits[shown - 1] == '0') {
            shown--;
        }
    } else if (decimal->carried && exponent == significant) {
        shown = 1; // glibc drops the zeros, in spite of the flag, where rounding led from fixed to scientific
    }
    int after = shown - (fixed ? decimal->point : 1);
    layout->fraction_digits = after > 0 ? after : 0;
    layout->has_point = layout->fraction_digits > 0 || (conversion->flags & FORMAT_ALTERNATE);
    if (fixed) {
        emit_fixed(sink, conversion, layout, decimal);
    } else {
        emit_scientific(sink, conversion, layout, decimal);
    }
}

static void emit_decimal(struct sink *sink, const struct conversion *conversion, const struct float_parts *parts,
                         struct decimal *decimal)
{
    struct layout layout = {.sign = sign_of(conversion, parts->negative)};
    if (conversion->letter == 'g' || conversion->letter == 'G') {
        emit_general(sink, conversion, &layout, decimal);
        return;
    }
    layout.fraction_digits = effective_precision(conversion);
    layout.has_point = layout.fraction_digits > 0 || (conversion->flags & FORMAT_ALTERNATE);
    if (conversion->letter == 'f' || conversion->letter == 'F') {
        emit_fixed(sink, conversion, &layout, decimal);
    } else {
        emit_scientific(sink, conversion, &layout, decimal);
    }
}

void __format_float(struct sink *sink, const struct conversion *conversion, const union format_value *value)
{
    struct float_parts parts = conversion->length == LENGTH_LONG_LONG ? parts_of_long_double(value->extended)
                                                                      : parts_of_double(value->real);
    if (parts.infinite || parts.not_a_number) {
        emit_special(sink, conversion, &parts);
        return;
    }
    int precision = effective_precision(conversion);
    struct decimal_limit limit = {.count = precision};
    switch (conversion->letter) {
    case 'a':
    case 'A':
        __format_hexfloat(sink, conversion, &parts);
        return;
    case 'f':
    case 'F':
        limit.after_point = true;
        break;
    case 'g':
    case 'G':
        limit.count = precision > 0 ? precision : 1;
        break;
    default:
        limit.count = precision < INT_MAX ? precision + 1 : INT_MAX;
        break;
    }
    __format_decimal(&parts, limit, emit_decimal, sink, conversion);
}
