// Integers and pointers of the printf family.
#include "format.h"

enum { INTEGER_TEXT = 72 }; // room for 64 binary digits and a sign

// Writes the digits of `number` to end at `end`; returns where they start. Zero has one digit.
static char *write_decimal(unsigned long long number, char *end)
{
    while (number > UINT32_MAX) {
        *--end = (char)('0' + number % 10);
        number /= 10;
    }
    // Most numbers are small, and narrow division is the cheaper one for a solver.
    uint32_t small = (uint32_t)number;
    do {
        *--end = (char)('0' + small % 10);
        small /= 10;
    } while (small != 0);
    return end;
}

static char *write_power_of_two(unsigned long long number, unsigned bits, char ten, char *end)
{
    unsigned mask = (1U << bits) - 1;
    do {
        unsigned digit = (unsigned)number & mask;
        *--end = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
        number >>= bits;
    } while (number != 0);
    return end;
}

void __format_int(struct sink *sink, int number)
{
    char text[12];
    char *end = text + sizeof text;
    char *start = write_decimal(number < 0 ? 0 - (unsigned)number : (unsigned)number, end);
    if (number < 0) {
        *--start = '-';
    }
    format_put(sink, start, (size_t)(end - start));
}

static long long narrow_signed(long long number, enum format_length length)
{
    return length == LENGTH_CHAR ? (signed char)number : length == LENGTH_SHORT ? (short)number : number;
}

static unsigned long long narrow_unsigned(long long number, enum format_length length)
{
    switch (length) {
    case LENGTH_CHAR:
        return (unsigned char)number;
    case LENGTH_SHORT:
        return (unsigned short)number;
    case LENGTH_INT:
        return (unsigned)number;
    case LENGTH_LONG:
        return (unsigned long)number;
    default:
        return (unsigned long long)number;
    }
}

static void emit_digits(struct sink *sink, const struct conversion *conversion, const char *prefix, const char *digits,
                        size_t length, bool is_zero)
{
    if (conversion->precision < 0) {
        __format_field(sink, conversion, prefix, 0, digits, length);
        return;
    }
    // A precision switches zero padding off, and makes no digits of zero.
    struct conversion plain = *conversion;
    plain.flags &= ~FORMAT_ZERO;
    length = is_zero && conversion->precision == 0 ? 0 : length;
    size_t least = (size_t)conversion->precision;
    __format_field(sink, &plain, prefix, least > length ? least - length : 0, digits, length);
}

static const char *sign_prefix(int flags)
{
    return flags & FORMAT_PLUS ? "+" : flags & FORMAT_SPACE ? " " : "";
}

void __format_signed(struct sink *sink, const struct conversion *conversion, long long number)
{
    char text[INTEGER_TEXT];
    char *end = text + sizeof text;
    number = narrow_signed(number, conversion->length);
    bool negative = number < 0;
    unsigned long long magnitude = negative ? 0 - (unsigned long long)number : (unsigned long long)number;
    char *digits = write_decimal(magnitude, end);
    const char *prefix = negative ? "-" : sign_prefix(conversion->flags);
    emit_digits(sink, conversion, prefix, digits, (size_t)(end - digits), number == 0);
}

static void emit_octal(struct sink *sink, const struct conversion *conversion, unsigned long long number)
{
    char text[INTEGER_TEXT];
    char *end = text + sizeof text;
    char *digits = write_power_of_two(number, 3, 'a', end);
    size_t length = (size_t)(end - digits);
    bool is_zero = number == 0;
    // The alternate form has a leading zero: the number itself if it is zero, else one more digit unless the precision
    // adds it.
    if (conversion->flags & FORMAT_ALTERNATE) {
        if (!is_zero && conversion->precision <= (int)length) {
            *--digits = '0';
            length++;
        }
        is_zero = false;
    }
    emit_digits(sink, conversion, "", digits, length, is_zero);
}

void __format_unsigned(struct sink *sink, const struct conversion *conversion, long long value)
{
    unsigned long long number = narrow_unsigned(value, conversion->length);
    char text[INTEGER_TEXT];
    char *end = text + sizeof text;
    char *digits;
    const char *prefix = "";
    switch (conversion->letter) {
    case 'o':
        emit_octal(sink, conversion, number);
        return;
    case 'x':
        digits = write_power_of_two(number, 4, 'a', end);
        prefix = "0x";
        break;
    case 'X':
        digits = write_power_of_two(number, 4, 'A', end);
        prefix = "0X";
        break;
    case 'b':
        digits = write_power_of_two(number, 1, 'a', end);
        prefix = "0b";
        break;
    case 'B':
        digits = write_power_of_two(number, 1, 'a', end);
        prefix = "0B";
        break;
    default:
        digits = write_decimal(number, end);
        break;
    }
    bool prefixed = (conversion->flags & FORMAT_ALTERNATE) && number != 0;
    emit_digits(sink, conversion, prefixed ? prefix : "", digits, (size_t)(end - digits), number == 0);
}

// Null prints as text; anything else as %#lx would, except that the sign flags count.
void __format_pointer(struct sink *sink, const struct conversion *conversion, uintptr_t address)
{
    if (address == 0) {
        struct conversion unlimited = *conversion;
        unlimited.precision = -1;
        __format_text(sink, &unlimited, "(nil)");
        return;
    }
    char text[INTEGER_TEXT];
    char *end = text + sizeof text;
    char *digits = write_power_of_two(address, 4, 'a', end);
    const char *prefix = conversion->flags & FORMAT_PLUS ? "+0x" : conversion->flags & FORMAT_SPACE ? " 0x" : "0x";
    emit_digits(sink, conversion, prefix, digits, (size_t)(end - digits), false);
}
