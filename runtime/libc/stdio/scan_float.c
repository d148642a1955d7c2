// %a, %e, %f and %g of the scanf family: collects what looks like a number, and lets strtod and its kin convert it.
#include "scan.h"

enum { FIRST_CAPACITY = 64 };

// The text of a number while it is collected. A width of -1 is unlimited.
struct collected {
    struct source *source;
    int byte; // the one looked at, already taken from the source
    int width;
    char *text; // `first`, or from malloc once that is full
    size_t length, capacity;
    char first[FIRST_CAPACITY];
    bool out_of_memory;
};

static void append(struct collected *number, int byte)
{
    if (number->length + 1 == number->capacity) {
        size_t larger = 2 * number->capacity;
        char *grown = number->text == number->first ? malloc(larger) : realloc(number->text, larger);
        if (grown == NULL) {
            number->out_of_memory = true;
            return;
        }
        if (number->text == number->first) {
            memcpy(grown, number->first, number->length);
        }
        number->text = grown;
        number->capacity = larger;
    }
    number->text[number->length++] = (char)byte;
}

// Takes the next byte within the width. False at the end of the input or the width; the byte at hand is then EOF.
static bool take(struct collected *number)
{
    if (number->width == 0) {
        number->byte = EOF;
        return false;
    }
    if (number->width > 0) {
        number->width--;
    }
    number->byte = source_get(number->source);
    return number->byte != EOF;
}

static bool is_letter(int byte, char lower)
{
    return byte == lower || byte == lower - 'a' + 'A';
}

static bool is_digit(int byte)
{
    return (unsigned)byte - '0' < 10;
}

static bool is_hex_digit(int byte)
{
    return is_digit(byte) || (byte != EOF && ((unsigned)byte | 0x20) - 'a' < 6);
}

// Reads the rest of a word, of which the byte at hand is the letter before it.
static bool read_word(struct collected *number, const char *rest)
{
    append(number, number->byte);
    for (; *rest != '\0'; rest++) {
        if (!take(number) || !is_letter(number->byte, *rest)) {
            return false;
        }
        append(number, number->byte);
    }
    return true;
}

static bool read_infinity(struct collected *number)
{
    if (!read_word(number, "nf")) {
        return false;
    }
    if (!take(number)) {
        return true;
    }
    if (is_letter(number->byte, 'i')) {
        return read_word(number, "nity");
    }
    source_unget(number->source, number->byte);
    return true;
}

// Reads digits, point and exponent as long as they can belong to one number. Only the first byte that cannot is given
// back.
static void read_digits(struct collected *number, bool is_hex, bool any_digit)
{
    char exponent_letter = is_hex ? 'p' : 'e';
    bool any_point = false;
    bool in_exponent = false;
    bool exponent_starts = false;
    while (number->byte != EOF) {
        int byte = number->byte;
        bool starts_now = false;
        if (is_digit(byte) || (is_hex && !in_exponent && is_hex_digit(byte))) {
            any_digit = true;
        } else if (any_digit && !in_exponent && is_letter(byte, exponent_letter)) {
            in_exponent = starts_now = true;
        } else if (byte == '.' && !any_point && !in_exponent) {
            any_point = true;
        } else if (!(exponent_starts && (byte == '-' || byte == '+'))) {
            source_unget(number->source, byte);
            return;
        }
        append(number, byte);
        exponent_starts = starts_now;
        take(number);
    }
}

// Collects the text of a number, sign first. False if there is none.
static bool collect(struct collected *number)
{
    if (number->byte == '-' || number->byte == '+') {
        append(number, number->byte);
        if (!take(number)) {
            return false;
        }
    }
    if (is_letter(number->byte, 'n')) {
        return read_word(number, "an");
    }
    if (is_letter(number->byte, 'i')) {
        return read_infinity(number);
    }
    size_t before = number->length;
    bool is_hex = false;
    bool any_digit = false;
    if (number->byte == '0') {
        append(number, '0');
        take(number);
        is_hex = is_letter(number->byte, 'x') && number->width != 0;
        any_digit = !is_hex;
        if (is_hex) {
            append(number, number->byte);
            take(number);
        }
    }
    read_digits(number, is_hex, any_digit);
    return number->length > before + (is_hex ? 2 : 0);
}

static enum scan_result convert(const struct collected *number, const struct scan_conversion *conversion, void *target)
{
    char *end;
    long double extended = 0;
    double real = 0;
    float single = 0;
    if (conversion->length == SCAN_LONG_LONG) {
        extended = strtold(number->text, &end);
    } else if (conversion->length == SCAN_LONG) {
        real = strtod(number->text, &end);
    } else {
        single = strtof(number->text, &end);
    }
    if (end == number->text) {
        return SCAN_NO_MATCH;
    }
    if (conversion->suppressed) {
        return SCAN_SILENT;
    }
    if (conversion->length == SCAN_LONG_LONG) {
        *(long double *)target = extended;
    } else if (conversion->length == SCAN_LONG) {
        *(double *)target = real;
    } else {
        *(float *)target = single;
    }
    return SCAN_STORED;
}

enum scan_result __scan_float(struct source *source, const struct scan_conversion *conversion, void *target)
{
    struct collected number;
    number.source = source;
    number.width = conversion->width;
    number.text = number.first;
    number.length = 0;
    number.capacity = FIRST_CAPACITY;
    number.out_of_memory = false;
    if (!take(&number)) {
        return SCAN_NO_INPUT;
    }
    enum scan_result result = SCAN_NO_MATCH;
    if (collect(&number) && !number.out_of_memory) {
        number.text[number.length] = '\0';
        result = convert(&number, conversion, target);
    }
    if (number.text != number.first) {
        free(number.text);
    }
    return result;
}
