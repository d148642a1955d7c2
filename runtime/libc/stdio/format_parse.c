// Parses one conversion of a printf format.
#include "format.h"

// Reads a decimal number; -1 if it does not fit an int.
static int parse_number(const char **format)
{
    long long number = 0;
    while (**format >= '0' && **format <= '9') {
        if (number <= INT_MAX) {
            number = number * 10 + (**format - '0');
        }
        (*format)++;
    }
    return number <= INT_MAX ? (int)number : -1;
}

static int flag_of(char letter)
{
    switch (letter) {
    case '-':
        return FORMAT_LEFT;
    case '+':
        return FORMAT_PLUS;
    case ' ':
        return FORMAT_SPACE;
    case '#':
        return FORMAT_ALTERNATE;
    case '0':
        return FORMAT_ZERO;
    case '\'':
        return FORMAT_GROUP;
    case 'I':
        return FORMAT_NATIONAL;
    default:
        return 0;
    }
}

// Reads what follows a *: nothing, or the number of an argument and a dollar sign.
static int parse_star(const char **format)
{
    const char *after = *format;
    int number = parse_number(&after);
    if (after == *format || *after != '$') {
        return ARGUMENT_NEXT;
    }
    *format = after + 1;
    return number > 0 ? number : ARGUMENT_NEXT;
}

// Reads argument number, flags, width and precision. Returns false, with errno, if a number is too large.
static bool parse_modifiers(const char **format, struct conversion *conversion)
{
    const char *at = *format;
    if (*at >= '1' && *at <= '9') {
        int number = parse_number(&at);
        if (number > 0 && *at == '$') {
            conversion->value_argument = number;
            at++;
        } else {
            at = *format;
        }
    }
    for (int flag; (flag = flag_of(*at)) != 0; at++) {
        conversion->flags |= flag;
    }
    if (*at == '*') {
        at++;
        conversion->width_argument = parse_star(&at);
    } else {
        conversion->width = parse_number(&at);
    }
    if (*at == '.') {
        at++;
        if (*at == '*') {
            at++;
            conversion->precision_argument = parse_star(&at);
        } else {
            conversion->precision = parse_number(&at);
            if (conversion->precision < 0) {
                errno = EOVERFLOW;
                return false;
            }
        }
    }
    *format = at;
    if (conversion->width < 0) {
        errno = EOVERFLOW;
        return false;
    }
    return true;
}

static const char *parse_length(const char *format, enum format_length *length)
{
    switch (*format) {
    case 'h':
        *length = format[1] == 'h' ? LENGTH_CHAR : LENGTH_SHORT;
        return format + (format[1] == 'h' ? 2 : 1);
    case 'l':
        *length = format[1] == 'l' ? LENGTH_LONG_LONG : LENGTH_LONG;
        return format + (format[1] == 'l' ? 2 : 1);
    case 'L':
    case 'q':
    case 'j':
        *length = LENGTH_LONG_LONG;
        return format + 1;
    case 'z':
    case 'Z':
    case 't':
        *length = LENGTH_LONG; // size_t and ptrdiff_t are as wide as long wherever glibc runs
        return format + 1;
    default:
        *length = LENGTH_INT;
        return format;
    }
}

const char *__format_parse(const char *format, struct conversion *conversion)
{
    conversion->flags = 0;
    conversion->width = 0;
    conversion->precision = -1;
    conversion->value_argument = ARGUMENT_NEXT;
    conversion->width_argument = ARGUMENT_NONE;
    conversion->precision_argument = ARGUMENT_NONE;
    // Everything that may stand before the length is no greater than a digit, but for one glibc flag.
    if ((*format <= '9' || *format == 'I') && !parse_modifiers(&format, conversion)) {
        return NULL;
    }
    format = parse_length(format, &conversion->length);
    if (*format == '\0') {
        errno = EINVAL;
        return NULL;
    }
    conversion->letter = *format;
    return format + 1;
}
