// The scanner of floating-point text: what strtod accepts, where it ends, and its significant digits.
#include <stddef.h>
#include <string.h>

#include "float_text.h"

unsigned long long strtoull(const char *restrict text, char **restrict end, int base);

// Exponents beyond this are all out of range, whatever the digits; stopping here avoids overflow.
enum { EXPONENT_LIMIT = 10000000 };

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// If the text starts with `word` (given in lower case), whatever its case, the end of it.
static const char *after_word(const char *text, const char *word)
{
    for (; *word != '\0'; text++, word++)
        if (*text != *word && *text != *word - ('a' - 'A'))
            return NULL;
    return text;
}

static void read_nan(struct float_text *result, const char *place)
{
    result->class = FLOAT_NAN;
    result->end = place;
    if (*place != '(')
        return;
    const char *start = ++place;
    while (is_digit(*place) || (*place >= 'a' && *place <= 'z') || (*place >= 'A' && *place <= 'Z') || *place == '_')
        place++;
    if (*place != ')')
        return;
    result->end = place + 1;
    char *number_end;
    unsigned long long payload = strtoull(start, &number_end, 0);
    if (number_end == place)
        result->nan_payload = payload;
}

static int read_word(struct float_text *result, const char *place)
{
    const char *end = after_word(place, "inf");
    if (end != NULL) {
        const char *longer = after_word(end, "inity");
        result->class = FLOAT_INFINITE;
        result->end = longer != NULL ? longer : end;
        return 1;
    }
    end = after_word(place, "nan");
    if (end != NULL)
        read_nan(result, end);
    return end != NULL;
}

// "e-12": adds the value to the exponent. Without digits it is not part of the number.
static const char *read_exponent(const char *place, long *exponent)
{
    const char *start = place++;
    int negative = *place == '-';
    if (negative || *place == '+')
        place++;
    if (!is_digit(*place))
        return start;
    long value = 0;
    for (; is_digit(*place); place++)
        if (value < EXPONENT_LIMIT)
            value = value * 10 + (*place - '0');
    *exponent += negative ? -value : value;
    return place;
}

static void read_digits(struct float_text *result, const char *place)
{
    int hexadecimal = result->hexadecimal, base = hexadecimal ? 16 : 10, point_seen = 0;
    long leading_limit = hexadecimal ? 16 : 19;
    long exponent = 0; // digits before the point, counted from the first significant one
    for (;; place++) {
        int digit = hexadecimal ? hex_value(*place) : is_digit(*place) ? *place - '0' : -1;
        if (digit < 0) {
            if (*place != '.' || point_seen)
                break;
            point_seen = 1;
            continue;
        }
        if (result->digit_count == 0 && digit == 0) {
            exponent -= point_seen;
            continue;
        }
        if (result->digit_count++ == 0)
            result->digits = place;
        if (result->digit_count <= leading_limit)
            result->leading = result->leading * (unsigned)base + (unsigned)digit;
        exponent += !point_seen;
    }
    result->exponent = hexadecimal ? exponent * 4 : exponent;
    char mark = hexadecimal ? 'p' : 'e';
    if (*place == mark || *place == mark - ('a' - 'A'))
        place = read_exponent(place, &result->exponent);
    result->end = place;
    result->class = FLOAT_FINITE;
}

struct float_text __symcrete_read_float_text(const char *text)
{
    struct float_text result = {.class = FLOAT_NOTHING, .end = text};
    const char *place = text;
    while (*place == ' ' || (*place >= '\t' && *place <= '\r'))
        place++;
    result.negative = *place == '-';
    if (*place == '-' || *place == '+')
        place++;

    if (is_digit(*place) || (*place == '.' && is_digit(place[1]))) {
        if (*place == '0' && (place[1] == 'x' || place[1] == 'X')) {
            const char *digits = place + 2;
            if (hex_value(*digits) >= 0 || (*digits == '.' && hex_value(digits[1]) >= 0)) {
                result.hexadecimal = 1;
                place = digits;
            }
        }
        read_digits(&result, place);
    } else if (!read_word(&result, place)) {
        result.negative = 0;
    }
    return result;
}
