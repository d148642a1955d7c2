// From the digits of floating-point text to the nearest number of a format, exactly (round to nearest, ties to even).
#include "float_text.h"
#include "natural.h"

// A positive number to be rounded: 0.HIGH LOW * 2 ^ exponent with the top bit of high set, and whether nonzero bits
// follow.
struct binary {
    uint64_t high, low;
    int more;
    long exponent;
};

static void normalise(struct binary *value)
{
    while (value->high >> 63 == 0) {
        value->high = value->high << 1 | value->low >> 63;
        value->low <<= 1;
        value->exponent--;
    }
}

// Keeps the top `bits` (0 to 64) of the value, rounded. A carry out of them gives 2 ^ bits (0 for 64 bits).
static uint64_t round_bits(const struct binary *value, int bits, int *inexact)
{
    uint64_t kept, half, below;
    if (bits == 64) {
        kept = value->high;
        half = value->low >> 63;
        below = value->low << 1;
    } else {
        kept = bits == 0 ? 0 : value->high >> (64 - bits);
        half = value->high >> (63 - bits) & 1;
        below = (bits == 63 ? 0 : value->high << (bits + 1)) | value->low;
    }
    if (value->more)
        below |= 1;
    *inexact = half != 0 || below != 0;
    if (half && (below != 0 || (kept & 1)))
        kept++;
    return kept;
}

static struct float_bits round_to_format(const struct binary *value, const struct float_format *format)
{
    struct float_bits result = {0};
    int inexact, precision = format->precision;
    uint64_t top_bit = (uint64_t)1 << (precision - 1);
    long exponent = value->exponent;
    uint64_t kept = round_bits(value, precision, &inexact);
    if (kept == top_bit << 1) { // the carry of all ones; for 64 bits both sides are 0
        kept = top_bit;
        exponent++;
    }
    if (exponent >= format->min_exponent && value->exponent >= format->min_exponent) {
        result.out_of_range = exponent > format->max_exponent;
        result.biased_exponent =
            (int)((result.out_of_range ? format->max_exponent + 1 : exponent) - format->min_exponent + 1);
        result.significand = result.out_of_range ? 0 : kept;
        return result;
    }

    // Below the normal numbers fewer bits are left. Tiny is what would be so with an unbounded exponent, too.
    int tiny = exponent < format->min_exponent;
    long bits = precision - (format->min_exponent - value->exponent);
    if (bits < 0) {
        result.out_of_range = 1;
        return result;
    }
    result.significand = round_bits(value, (int)bits, &inexact);
    result.biased_exponent = result.significand >= top_bit;
    result.out_of_range = tiny && inexact;
    return result;
}

static struct binary from_hexadecimal(const struct float_text *text)
{
    struct binary value = {.high = text->leading, .exponent = text->exponent};
    long count = text->digit_count;
    for (; count < 16; count++)
        value.high <<= 4;
    const char *place = text->digits;
    long seen = 0, low_digits = 0;
    for (; seen < text->digit_count && text->digit_count > 16; place++) {
        if (*place == '.')
            continue;
        unsigned digit = (unsigned)(*place <= '9' ? *place - '0' : (*place | 32) - 'a' + 10);
        if (seen >= 32)
            value.more |= digit != 0;
        else if (seen >= 16) {
            value.low = value.low << 4 | digit;
            low_digits++;
        }
        seen++;
    }
    if (low_digits != 0)
        value.low <<= 4 * (16 - low_digits);
    normalise(&value);
    return value;
}

// The value of the first digits of the text, at most `most`; if nonzero digits follow, a 1 stands for them.
// Returns how many digits (in this sense) the value has.
static long read_decimal(const struct float_text *text, long most, struct natural *value)
{
    long count = 0;
    uint32_t chunk = 0, scale = 1;
    const char *place = text->digits;
    value->length = 0;
    for (; count < text->digit_count && count < most; place++) {
        if (*place == '.')
            continue;
        chunk = chunk * 10 + (uint32_t)(*place - '0');
        scale *= 10;
        count++;
        if (scale == 1000000000) {
            natural_multiply_add(value, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    if (scale != 1)
        natural_multiply_add(value, scale, chunk);
    for (long rest = text->digit_count - count; rest > 0; place++) {
        if (*place == '.')
            continue;
        if (*place != '0') {
            natural_multiply_add(value, 10, 1);
            return count + 1;
        }
        rest--;
    }
    return count;
}

// The top 128 bits of a number.
static struct binary from_natural(const struct natural *number)
{
    uint32_t top[4] = {0};
    struct binary value = {.exponent = (long)number->length * 32};
    size_t taken = 0;
    for (; taken < 4 && taken < number->length; taken++)
        top[taken] = number->words[number->length - 1 - taken];
    // Normalising may pull up to 31 bits into `low`; their place is filled from below by `more` only, far from any
    // rounding.
    for (size_t i = 0; i + taken < number->length; i++)
        value.more |= number->words[i] != 0;
    value.high = (uint64_t)top[0] << 32 | top[1];
    value.low = (uint64_t)top[2] << 32 | top[3];
    normalise(&value);
    return value;
}

// The top 95 or 96 bits of numerator / divisor. Destroys both.
static struct binary from_quotient(struct natural *numerator, struct natural *divisor)
{
    // Align so that the quotient has three words, and the divisor's top bit is set.
    long shift = natural_bit_length(divisor) + 95 - natural_bit_length(numerator);
    if (shift < 0)
        natural_shift_left(divisor, (unsigned long)-shift);
    long gap = (32 - natural_bit_length(divisor) % 32) % 32;
    natural_shift_left(divisor, (unsigned long)gap);
    natural_shift_left(numerator, (unsigned long)(gap + (shift > 0 ? shift : 0)));
    size_t length = divisor->length;
    while (numerator->length < length + 3)
        numerator->words[numerator->length++] = 0;

    uint32_t quotient[3];
    for (size_t place = 3; place-- > 0;)
        quotient[place] = natural_divide_digit(numerator->words + place, divisor->words, length);
    struct binary value = {.exponent = 96 - shift};
    value.high = (uint64_t)quotient[2] << 32 | quotient[1];
    value.low = (uint64_t)quotient[0] << 32;
    for (size_t i = 0; i < length; i++)
        value.more |= numerator->words[i] != 0;
    normalise(&value);
    return value;
}

static struct binary from_decimal(const struct float_text *text, long most_digits)
{
    struct natural number, divisor;
    long count = read_decimal(text, most_digits, &number);
    long power = text->exponent - count; // of ten
    struct binary value;
    if (power >= 0) {
        natural_multiply_by_power_of_five(&number, (unsigned long)power);
        value = from_natural(&number);
    } else {
        divisor.length = 1;
        divisor.words[0] = 1;
        natural_multiply_by_power_of_five(&divisor, (unsigned long)-power);
        value = from_quotient(&number, &divisor);
    }
    value.exponent += power;
    return value;
}

struct float_bits __symcrete_nearest_float(const struct float_text *text, const struct float_format *format)
{
    if (text->digit_count == 0)
        return (struct float_bits){0};
    // Far out of range, where the digits do not matter: 0.1 * 10 ^ exponent is between 2 ^ (3 * exponent) and 2 ^ (4 *
    // exponent).
    long scale = text->hexadecimal ? 1 : 3;
    if (text->exponent > 8 && (text->exponent - 8) * scale > format->max_exponent)
        return (struct float_bits){0, format->max_exponent - format->min_exponent + 2, 1};
    if (text->exponent < 0 && text->exponent * scale < format->min_exponent - format->precision - 8)
        return (struct float_bits){0, 0, 1};
    struct binary value = text->hexadecimal ? from_hexadecimal(text) : from_decimal(text, format->most_digits);
    return round_to_format(&value, format);
}
