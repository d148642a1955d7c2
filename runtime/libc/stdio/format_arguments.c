// The arguments of the printf family: their types, fetching them, and formats that number them ("%2$s").
#include "format.h"

enum { NUMBERED_ARGUMENTS_LIMIT = 4096 }; // NL_ARGMAX

enum format_type __format_value_type(const struct conversion *conversion)
{
    switch (conversion->letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
        return conversion->length == LENGTH_LONG        ? TYPE_LONG
               : conversion->length == LENGTH_LONG_LONG ? TYPE_LONG_LONG
                                                        : TYPE_INT;
    case 'c':
    case 'C':
        return TYPE_INT;
    case 's':
    case 'S':
    case 'p':
    case 'n':
        return TYPE_POINTER;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return conversion->length == LENGTH_LONG_LONG ? TYPE_EXTENDED : TYPE_REAL;
    default:
        return TYPE_NONE;
    }
}

void __format_fetch(struct format_arguments *arguments, enum format_type type, union format_value *value)
{
    switch (type) {
    case TYPE_NONE:
        break;
    case TYPE_INT:
        value->integer = va_arg(arguments->list, int);
        break;
    case TYPE_LONG:
        value->integer = va_arg(arguments->list, long);
        break;
    case TYPE_LONG_LONG:
        value->integer = va_arg(arguments->list, long long);
        break;
    case TYPE_REAL:
        value->real = va_arg(arguments->list, double);
        break;
    case TYPE_EXTENDED:
        value->extended = va_arg(arguments->list, long double);
        break;
    case TYPE_POINTER:
        value->pointer = va_arg(arguments->list, void *);
        break;
    }
}

// The number of an argument: given, or the one after the last that was not.
static int resolve(int argument, int *next)
{
    return argument == ARGUMENT_NEXT ? (*next)++ : argument;
}

// Notes the type of an argument, if the table has room for it.
static void note_type(enum format_type *types, int limit, int number, enum format_type type)
{
    if (number > 0 && number <= limit) {
        types[number] = type;
    }
}

// The next conversion of the format, its arguments all numbered. Returns what follows it, or NULL: at the end of the
// format, where `*format` is then empty, or for a conversion that cannot be parsed.
static const char *next_numbered(const char **format, struct conversion *conversion, int *next)
{
    while (**format != '%' && **format != '\0') {
        (*format)++;
    }
    if (**format == '\0') {
        return NULL;
    }
    const char *after = __format_parse(*format + 1, conversion);
    if (after != NULL) {
        conversion->width_argument = resolve(conversion->width_argument, next);
        conversion->precision_argument = resolve(conversion->precision_argument, next);
        if (__format_value_type(conversion) != TYPE_NONE) {
            conversion->value_argument = resolve(conversion->value_argument, next);
        } else {
            conversion->value_argument = ARGUMENT_NONE;
        }
    }
    return after;
}

// Finds the types of all arguments from 1 to `limit`. Returns the highest number, or -1 if the format has an error.
static int collect_types(const char *format, enum format_type *types, int limit)
{
    struct conversion conversion;
    int next = 1;
    int highest = 0;
    for (const char *after; (after = next_numbered(&format, &conversion, &next)) != NULL; format = after) {
        int numbers[3] = {conversion.width_argument, conversion.precision_argument, conversion.value_argument};
        for (int i = 0; i < 3; i++) {
            highest = numbers[i] > highest ? numbers[i] : highest;
        }
        note_type(types, limit, numbers[0], TYPE_INT);
        note_type(types, limit, numbers[1], TYPE_INT);
        note_type(types, limit, numbers[2], __format_value_type(&conversion));
    }
    return *format == '\0' ? highest : -1;
}

void __format_apply_width(struct sink *sink, struct conversion *conversion, int width)
{
    if (width == INT_MIN) {
        errno = EOVERFLOW;
        sink->failed = true;
        return;
    }
    if (width < 0) {
        conversion->flags |= FORMAT_LEFT;
        width = -width;
    }
    conversion->width = width;
}

static void emit_numbered(struct sink *sink, const char *format, const union format_value *values)
{
    struct conversion conversion;
    int next = 1;
    const char *run = format;
    for (const char *after; (after = next_numbered(&format, &conversion, &next)) != NULL; run = format = after) {
        format_put(sink, run, (size_t)(format - run));
        if (conversion.width_argument != ARGUMENT_NONE) {
            __format_apply_width(sink, &conversion, (int)values[conversion.width_argument].integer);
        }
        if (conversion.precision_argument != ARGUMENT_NONE) {
            int precision = (int)values[conversion.precision_argument].integer;
            conversion.precision = precision < 0 ? -1 : precision;
        }
        __format_emit(sink, &conversion, &values[conversion.value_argument]);
    }
    format_put(sink, run, (size_t)(format - run));
}

void __format_positional(struct sink *sink, const char *format, struct format_arguments *arguments)
{
    int count = collect_types(format, NULL, 0);
    if (count < 0 || count > NUMBERED_ARGUMENTS_LIMIT) {
        sink->failed = true;
        return;
    }
    // Entry 0 stands for conversions without a value. An argument that no conversion uses counts as an int.
    enum format_type *types = malloc(((size_t)count + 1) * sizeof *types);
    union format_value *values = malloc(((size_t)count + 1) * sizeof *values);
    if (types != NULL && values != NULL) {
        memset(values, 0, ((size_t)count + 1) * sizeof *values);
        for (int i = 0; i <= count; i++) {
            types[i] = TYPE_INT;
        }
        collect_types(format, types, count);
        for (int i = 1; i <= count; i++) {
            __format_fetch(arguments, types[i], &values[i]);
        }
        emit_numbered(sink, format, values);
    } else {
        sink->failed = true;
    }
    free(types);
    free(values);
}
