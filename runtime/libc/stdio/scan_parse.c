// Parses one conversion of a scanf format.
#include "scan.h"

static int parse_number(const char **format)
{
    int number = 0;
    while (**format >= '0' && **format <= '9') {
        int digit = **format - '0';
        number = number > (INT_MAX - digit) / 10 ? INT_MAX : number * 10 + digit;
        (*format)++;
    }
    return number;
}

static const char *parse_length(const char *format, enum scan_length *length)
{
    *length = SCAN_INT;
    switch (*format) {
    case 'h':
        *length = format[1] == 'h' ? SCAN_CHAR : SCAN_SHORT;
        return format + (format[1] == 'h' ? 2 : 1);
    case 'l':
        *length = format[1] == 'l' ? SCAN_LONG_LONG : SCAN_LONG;
        return format + (format[1] == 'l' ? 2 : 1);
    case 'L':
    case 'q':
    case 'j':
        *length = SCAN_LONG_LONG;
        return format + 1;
    case 'z':
    case 'Z':
    case 't':
        *length = SCAN_LONG; // size_t and ptrdiff_t are as wide as long wherever glibc runs
        return format + 1;
    default:
        return format;
    }
}

// Finds the end of a set. A bracket that comes first, or first after ^, stands for itself.
static const char *parse_set(const char *format, struct scan_conversion *conversion)
{
    conversion->set = format;
    const char *at = *format == '^' ? format + 1 : format;
    if (*at == ']') {
        at++;
    }
    while (*at != ']') {
        if (*at == '\0') {
            return NULL;
        }
        at++;
    }
    conversion->set_end = at;
    return at + 1;
}

const char *__scan_parse(const char *format, enum scan_dialect dialect, struct scan_conversion *conversion)
{
    *conversion = (struct scan_conversion){.width = -1};
    if (*format >= '0' && *format <= '9') {
        int number = parse_number(&format);
        if (*format == '$') {
            conversion->argument = number;
            format++;
        } else {
            conversion->width = number > 0 ? number : -1;
        }
    }
    for (; *format == '*' || *format == '\'' || *format == 'I'; format++) {
        conversion->suppressed |= *format == '*';
    }
    if (*format >= '0' && *format <= '9') {
        int width = parse_number(&format);
        conversion->width = width > 0 ? width : -1;
    }
    if (*format == 'm') {
        conversion->allocates = true;
        format++;
    } else if (*format == 'a' && dialect == SCAN_GNU && (format[1] == 's' || format[1] == 'S' || format[1] == '[')) {
        conversion->allocates = true;
        format++;
    }
    format = parse_length(format, &conversion->length);
    conversion->letter = *format;
    if (*format == '\0') {
        return NULL;
    }
    return *format == '[' ? parse_set(format + 1, conversion) : format + 1;
}
