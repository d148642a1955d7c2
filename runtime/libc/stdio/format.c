// The engine of the printf family: walks a format and hands each conversion to the file that knows it.
#include "format.h"

void __format_put_slowly(struct sink *sink, const char *bytes, size_t count)
{
    size_t fits = count < sink->room ? count : sink->room;
    if (sink->drain != NULL) {
        sink->produced += count;
        sink->drain(sink, bytes, count);
        return;
    }
    memcpy(sink->cursor, bytes, fits);
    sink->cursor += fits;
    sink->room -= fits;
    sink->produced += count;
}

void __format_fill(struct sink *sink, char byte, size_t count)
{
    size_t fits = count < sink->room ? count : sink->room;
    memset(sink->cursor, byte, fits);
    sink->cursor += fits;
    sink->room -= fits;
    sink->produced += fits;
    count -= fits;
    if (count == 0) {
        return;
    }
    if (sink->drain == NULL) {
        sink->produced += count;
        return;
    }
    char run[64];
    memset(run, byte, sizeof run);
    while (count > 0 && !sink->failed) {
        size_t part = count < sizeof run ? count : sizeof run;
        format_put(sink, run, part);
        count -= part;
    }
}

void __format_field(struct sink *sink, const struct conversion *conversion, const char *prefix, size_t zeros,
                    const char *body, size_t length)
{
    size_t prefix_length = strlen(prefix);
    size_t used = prefix_length + zeros + length;
    size_t padding = (size_t)conversion->width > used ? (size_t)conversion->width - used : 0;
    if (conversion->flags & FORMAT_LEFT) {
        format_put(sink, prefix, prefix_length);
        __format_fill(sink, '0', zeros);
        format_put(sink, body, length);
        __format_fill(sink, ' ', padding);
        return;
    }
    if (conversion->flags & FORMAT_ZERO) {
        zeros += padding;
    } else if (padding > 0) {
        __format_fill(sink, ' ', padding);
    }
    format_put(sink, prefix, prefix_length);
    if (zeros > 0) {
        __format_fill(sink, '0', zeros);
    }
    format_put(sink, body, length);
}

static void store_count(const struct conversion *conversion, void *target, size_t count)
{
    switch (conversion->length) {
    case LENGTH_CHAR:
        *(signed char *)target = (signed char)count;
        break;
    case LENGTH_SHORT:
        *(short *)target = (short)count;
        break;
    case LENGTH_INT:
        *(int *)target = (int)count;
        break;
    case LENGTH_LONG:
        *(long *)target = (long)count;
        break;
    case LENGTH_LONG_LONG:
        *(long long *)target = (long long)count;
        break;
    }
}

void __format_emit(struct sink *sink, const struct conversion *conversion, const union format_value *value)
{
    bool wide = conversion->length == LENGTH_LONG;
    struct conversion unfilled;
    switch (conversion->letter) {
    case 'd':
    case 'i':
        __format_signed(sink, conversion, value->integer);
        break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
        __format_unsigned(sink, conversion, value->integer);
        break;
    case 'c':
        if (wide) {
            __format_wide_character(sink, conversion, (wchar_t)value->integer);
        } else {
            char byte = (char)value->integer;
            unfilled = *conversion;
            unfilled.flags &= ~FORMAT_ZERO;
            __format_field(sink, &unfilled, "", 0, &byte, 1);
        }
        break;
    case 'C':
        __format_wide_character(sink, conversion, (wchar_t)value->integer);
        break;
    case 's':
        if (wide) {
            __format_wide_text(sink, conversion, value->pointer);
        } else {
            __format_text(sink, conversion, value->pointer);
        }
        break;
    case 'S':
        __format_wide_text(sink, conversion, value->pointer);
        break;
    case 'm':
        __format_text(sink, conversion, strerror(errno));
        break;
    case 'p':
        __format_pointer(sink, conversion, (uintptr_t)value->pointer);
        break;
    case 'n':
        store_count(conversion, value->pointer, sink->produced);
        break;
    case '%':
        format_put(sink, "%", 1);
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        __format_float(sink, conversion, value);
        break;
    default:
        __format_unknown(sink, conversion);
        break;
    }
}

// Takes a width or precision given as * from the arguments.
static void fetch_limits(struct sink *sink, struct conversion *conversion, struct format_arguments *arguments)
{
    if (conversion->width_argument == ARGUMENT_NEXT) {
        __format_apply_width(sink, conversion, va_arg(arguments->list, int));
    }
    if (conversion->precision_argument == ARGUMENT_NEXT) {
        int precision = va_arg(arguments->list, int);
        conversion->precision = precision < 0 ? -1 : precision;
    }
}

static bool is_numbered(const struct conversion *conversion)
{
    return conversion->value_argument > 0 || conversion->width_argument > 0 || conversion->precision_argument > 0;
}

// Handles one conversion, of which `format` is what follows the %. Returns what follows it, or NULL if nothing is left.
static const char *convert(struct sink *sink, const char *format, struct format_arguments *arguments,
                           struct format_arguments *all_arguments)
{
    // The plain forms first: they are most of what programs print.
    if (*format == 's') {
        const char *text = va_arg(arguments->list, const char *);
        text = text != NULL ? text : "(null)";
        format_put(sink, text, strlen(text));
        return format + 1;
    }
    if (*format == 'd') {
        __format_int(sink, va_arg(arguments->list, int));
        return format + 1;
    }
    struct conversion conversion;
    const char *after = __format_parse(format, &conversion);
    if (after == NULL) {
        sink->failed = true;
        return NULL;
    }
    if (is_numbered(&conversion)) {
        __format_positional(sink, format - 1, all_arguments);
        return NULL;
    }
    fetch_limits(sink, &conversion, arguments);
    union format_value value;
    __format_fetch(arguments, __format_value_type(&conversion), &value);
    __format_emit(sink, &conversion, &value);
    return after;
}

int __format(struct sink *sink, const char *format, va_list list)
{
    struct format_arguments arguments, all_arguments;
    va_copy(arguments.list, list);
    va_copy(all_arguments.list, list); // a format that numbers its arguments starts again from the first
    while (format != NULL && *format != '\0' && !sink->failed) {
        const char *run = format;
        while (*format != '%' && *format != '\0') {
            format++;
        }
        if (format != run) {
            format_put(sink, run, (size_t)(format - run));
        }
        if (*format == '%') {
            format = convert(sink, format + 1, &arguments, &all_arguments);
        }
    }
    va_end(all_arguments.list);
    va_end(arguments.list);
    if (!sink->failed && sink->produced > INT_MAX) {
        errno = EOVERFLOW;
        sink->failed = true;
    }
    return sink->failed ? -1 : (int)sink->produced;
}
