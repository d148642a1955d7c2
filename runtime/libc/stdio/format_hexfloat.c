// %a and %A: the bits of a floating-point number in hexadecimal, as glibc lays them out.
#include "format.h"

// The number as leading.fraction * 2^exponent, where the fraction is a row of hexadecimal digits.
struct hexadecimal {
    unsigned leading;
    uint64_t fraction;
    int digits; // of the fraction
    int exponent;
};

// A double has one bit before the point, a long double the four bits of a hexadecimal digit.
static struct hexadecimal split(const struct float_parts *parts)
{
    int digits = parts->is_extended ? 15 : 13;
    struct hexadecimal number = {
        .leading = (unsigned)(parts->mantissa >> 4 * digits),
        .fraction = parts->mantissa & ((1ULL << 4 * digits) - 1),
        .digits = digits,
        .exponent = parts->mantissa == 0 ? 0 : parts->exponent + 4 * digits,
    };
    return number;
}

static void drop_trailing_zeros(struct hexadecimal *number)
{
    while (number->digits > 0 && (number->fraction & 0xF) == 0) {
        number->fraction >>= 4;
        number->digits--;
    }
}

// Rounds to fewer digits, ties to even. The leading digit may become 2, but not 16.
static void round_digits(struct hexadecimal *number, int kept)
{
    int dropped_bits = 4 * (number->digits - kept);
    uint64_t dropped = number->fraction & ((1ULL << dropped_bits) - 1);
    uint64_t half = 1ULL << (dropped_bits - 1);
    uint64_t whole = (uint64_t)number->leading << 4 * kept | number->fraction >> dropped_bits;
    if (dropped > half || (dropped == half && (whole & 1))) {
        whole++;
    }
    number->digits = kept;
    number->leading = (unsigned)(whole >> 4 * kept);
    number->fraction = whole & ((1ULL << 4 * kept) - 1);
    if (number->leading == 16) {
        number->leading = 1;
        number->exponent += 4;
    }
}

static char digit_of(unsigned value, char ten)
{
    return (char)(value < 10 ? '0' + value : ten + value - 10);
}

void __format_hexfloat(struct sink *sink, const struct conversion *conversion, const struct float_parts *parts)
{
    struct hexadecimal number = split(parts);
    if (conversion->precision < 0) {
        drop_trailing_zeros(&number);
    } else if (conversion->precision < number.digits) {
        round_digits(&number, conversion->precision);
    }
    char ten = conversion->letter == 'a' ? 'a' : 'A';
    char text[18]; // leading digit, point, fraction
    size_t length = 0;
    size_t extra_zeros = conversion->precision > number.digits ? (size_t)(conversion->precision - number.digits) : 0;
    text[length++] = digit_of(number.leading, ten);
    if (number.digits > 0 || extra_zeros > 0 || (conversion->flags & FORMAT_ALTERNATE)) {
        text[length++] = '.';
    }
    for (int i = number.digits - 1; i >= 0; i--) {
        text[length++] = digit_of((unsigned)(number.fraction >> 4 * i) & 0xF, ten);
    }

    char exponent[8];
    char *end = exponent + sizeof exponent;
    char *start = end;
    unsigned magnitude = (unsigned)(number.exponent < 0 ? -number.exponent : number.exponent);
    do {
        *--start = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude != 0);
    *--start = number.exponent < 0 ? '-' : '+';
    *--start = ten == 'a' ? 'p' : 'P';

    char prefix[4];
    size_t prefix_length = 0;
    if (parts->negative || (conversion->flags & (FORMAT_PLUS | FORMAT_SPACE))) {
        prefix[prefix_length++] = parts->negative ? '-' : conversion->flags & FORMAT_PLUS ? '+' : ' ';
    }
    prefix[prefix_length++] = '0';
    prefix[prefix_length++] = ten == 'a' ? 'x' : 'X';

    size_t used = prefix_length + length + extra_zeros + (size_t)(end - start);
    size_t padding = (size_t)conversion->width > used ? (size_t)conversion->width - used : 0;
    bool left = conversion->flags & FORMAT_LEFT;
    bool zeros = !left && (conversion->flags & FORMAT_ZERO);
    __format_fill(sink, ' ', left || zeros ? 0 : padding);
    format_put(sink, prefix, prefix_length);
    __format_fill(sink, '0', zeros ? padding : 0);
    format_put(sink, text, length);
    __format_fill(sink, '0', extra_zeros);
    format_put(sink, start, (size_t)(end - start));
    __format_fill(sink, ' ', left ? padding : 0);
}
