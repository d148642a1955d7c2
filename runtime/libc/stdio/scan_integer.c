// %d, %i, %u, %o, %x and %p of the scanf family.
#include "scan.h"

// A number while it is read. A width of -1 is unlimited.
struct number {
    struct source *source;
    int byte; // the next one, already taken from the source
    int width;
    unsigned base;
    bool negative;
    bool any_digit;
    bool too_large;
    unsigned long long magnitude;
};

static void advance(struct number *number)
{
    if (number->width > 0) {
        number->width--;
    }
    number->byte = source_get(number->source);
}

static bool at_letter(const struct number *number, char lower)
{
    return number->width != 0 && (number->byte == lower || number->byte == lower - 'a' + 'A');
}

// Reads a leading zero and what it says about the base.
static void read_prefix(struct number *number, bool binary_allowed)
{
    if (number->width == 0 || number->byte != '0') {
        number->base = number->base == 0 ? 10 : number->base;
        return;
    }
    number->any_digit = true;
    advance(number);
    if ((number->base == 0 || number->base == 16) && at_letter(number, 'x')) {
        number->base = 16;
        advance(number);
    } else if (binary_allowed && (number->base == 0 || number->base == 2) && at_letter(number, 'b')) {
        number->base = 2;
        advance(number);
    } else if (number->base == 0) {
        number->base = 8;
    }
}

// The value of a digit, or one that is no digit in any base.
static unsigned digit_value(int byte)
{
    unsigned decimal = (unsigned)byte - '0';
    unsigned letter = ((unsigned)byte | 0x20) - 'a';
    return decimal < 10 ? decimal : byte != EOF && letter < 6 ? letter + 10 : 99;
}

static void read_digits(struct number *number)
{
    while (number->byte != EOF && number->width != 0) {
        unsigned digit = digit_value(number->byte);
        if (digit >= number->base) {
            break;
        }
        number->any_digit = true;
        unsigned long long scaled;
        if (__builtin_mul_overflow(number->magnitude, (unsigned long long)number->base, &scaled) ||
            __builtin_add_overflow(scaled, (unsigned long long)digit, &number->magnitude)) {
            number->too_large = true;
        }
        advance(number);
    }
}

// A null pointer as printf shows it. The opening parenthesis is the byte at hand.
static bool read_nil(struct number *number)
{
    if (number->byte != '(' || (number->width >= 0 && number->width < 5)) {
        return false;
    }
    for (const char *rest = "nil)"; *rest != '\0'; rest++) {
        number->byte = source_get(number->source);
        bool same = number->byte == *rest || (*rest != ')' && number->byte == *rest - 'a' + 'A');
        if (!same) {
            return false;
        }
    }
    return true;
}

static long long saturated(bool negative, long long least, long long greatest)
{
    errno = ERANGE;
    return negative ? least : greatest;
}

// The value as strtol or strtoll would return it.
static long long signed_value(const struct number *number, bool is_long_long)
{
    long long least = is_long_long ? LLONG_MIN : LONG_MIN;
    long long greatest = is_long_long ? LLONG_MAX : LONG_MAX;
    unsigned long long limit = (unsigned long long)greatest + number->negative;
    if (number->too_large || number->magnitude > limit) {
        return saturated(number->negative, least, greatest);
    }
    return (long long)(number->negative ? 0 - number->magnitude : number->magnitude);
}

// The value as strtoul or strtoull would return it.
static unsigned long long unsigned_value(const struct number *number, bool is_long_long)
{
    unsigned long long greatest = is_long_long ? ULLONG_MAX : ULONG_MAX;
    if (number->too_large || number->magnitude > greatest) {
        errno = ERANGE;
        return greatest;
    }
    return number->negative ? 0 - number->magnitude : number->magnitude;
}

static void store(const struct scan_conversion *conversion, void *target, unsigned long long value)
{
    switch (conversion->length) {
    case SCAN_CHAR:
        *(unsigned char *)target = (unsigned char)value;
        break;
    case SCAN_SHORT:
        *(unsigned short *)target = (unsigned short)value;
        break;
    case SCAN_INT:
        *(unsigned *)target = (unsigned)value;
        break;
    case SCAN_LONG:
        *(unsigned long *)target = (unsigned long)value;
        break;
    case SCAN_LONG_LONG:
        *(unsigned long long *)target = value;
        break;
    }
}

static unsigned base_of(char letter)
{
    switch (letter) {
    case 'i':
        return 0;
    case 'b':
        return 2;
    case 'o':
        return 8;
    case 'x':
    case 'X':
    case 'p':
        return 16;
    default:
        return 10;
    }
}

enum scan_result __scan_integer(struct source *source, const struct scan_conversion *conversion,
                                enum scan_dialect dialect, void *target)
{
    struct number number = {.source = source, .width = conversion->width, .base = base_of(conversion->letter)};
    number.byte = source_get(source);
    if (number.byte == EOF) {
        return SCAN_NO_INPUT;
    }
    bool has_sign = number.byte == '-' || number.byte == '+';
    if (has_sign) {
        number.negative = number.byte == '-';
        advance(&number);
    }
    read_prefix(&number, dialect == SCAN_C23);
    read_digits(&number);
    bool is_pointer = conversion->letter == 'p';
    if (number.any_digit || has_sign || !is_pointer || !read_nil(&number)) {
        source_unget(source, number.byte);
        if (!number.any_digit) {
            return SCAN_NO_MATCH;
        }
    }
    bool is_long_long = conversion->length == SCAN_LONG_LONG;
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    unsigned long long value = is_signed ? (unsigned long long)signed_value(&number, is_long_long)
                                         : unsigned_value(&number, is_long_long);
    if (conversion->suppressed) {
        return SCAN_SILENT;
    }
    if (is_pointer) {
        *(void **)target = (void *)(uintptr_t)value;
    } else {
        store(conversion, target, value);
    }
    return SCAN_STORED;
}
