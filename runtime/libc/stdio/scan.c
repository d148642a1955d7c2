// The engine of the scanf family: walks a format, matches what stands between conversions, and counts what was stored.
#include "scan.h"

// A va_list that functions can pass on by address, whatever type it has on the target.
struct argument_list {
    va_list list;
};

// All arguments are pointers, so a numbered one is found by counting from the first.
static void *find_target(const struct scan_conversion *conversion, struct argument_list *next,
                         struct argument_list *all)
{
    if (conversion->suppressed) {
        return NULL;
    }
    if (conversion->argument == 0) {
        return va_arg(next->list, void *);
    }
    va_list list;
    va_copy(list, all->list);
    void *target = NULL;
    for (int i = 0; i < conversion->argument; i++) {
        target = va_arg(list, void *);
    }
    va_end(list);
    return target;
}

// Returns the first byte that is no white space, as taken from the source.
static int skip_spaces(struct source *source)
{
    int byte = source_get(source);
    while (scan_is_space(byte)) {
        byte = source_get(source);
    }
    return byte;
}

static enum scan_result match_byte(struct source *source, char wanted, bool skip)
{
    int byte = skip ? skip_spaces(source) : source_get(source);
    if (byte == EOF) {
        return SCAN_NO_INPUT;
    }
    if (byte != (unsigned char)wanted) {
        source_unget(source, byte);
        return SCAN_NO_MATCH;
    }
    return SCAN_SILENT;
}

static enum scan_result store_consumed(const struct source *source, const struct scan_conversion *conversion,
                                       void *target)
{
    if (conversion->suppressed) {
        return SCAN_SILENT;
    }
    switch (conversion->length) {
    case SCAN_CHAR:
        *(signed char *)target = (signed char)source->consumed;
        break;
    case SCAN_SHORT:
        *(short *)target = (short)source->consumed;
        break;
    case SCAN_INT:
        *(int *)target = source->consumed;
        break;
    case SCAN_LONG:
        *(long *)target = source->consumed;
        break;
    case SCAN_LONG_LONG:
        *(long long *)target = source->consumed;
        break;
    }
    return SCAN_SILENT;
}

static enum scan_result convert(struct source *source, const struct scan_conversion *conversion,
                                enum scan_dialect dialect, void *target)
{
    switch (conversion->letter) {
    case 'n':
        return store_consumed(source, conversion, target);
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'p':
        return __scan_integer(source, conversion, dialect, target);
    case 'b':
        return dialect == SCAN_C23 ? __scan_integer(source, conversion, dialect, target) : SCAN_NO_MATCH;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return __scan_float(source, conversion, target);
    case 'c':
    case 'C':
    case 's':
    case 'S':
    case '[':
        return __scan_text(source, conversion, target);
    default:
        return SCAN_NO_MATCH;
    }
}

static bool keeps_spaces(char letter)
{
    return letter == '[' || letter == 'c' || letter == 'C' || letter == 'n';
}

// Handles one conversion, of which `*format` is what follows the %, and moves the format past it.
static enum scan_result run_conversion(struct source *source, enum scan_dialect dialect, const char **format, bool skip,
                                       struct argument_list *next, struct argument_list *all)
{
    struct scan_conversion conversion;
    *format = __scan_parse(*format, dialect, &conversion);
    if (skip || !keeps_spaces(conversion.letter)) {
        source_unget(source, skip_spaces(source));
    }
    if (*format == NULL) {
        return SCAN_NO_MATCH;
    }
    if (conversion.letter == '%') {
        return match_byte(source, '%', false);
    }
    return convert(source, &conversion, dialect, find_target(&conversion, next, all));
}

int __scan(struct source *source, enum scan_dialect dialect, const char *format, va_list list)
{
    struct argument_list next, all;
    va_copy(next.list, list);
    va_copy(all.list, list);
    enum scan_result result = SCAN_SILENT;
    int stored = 0;
    bool skip = false; // white space in the format is acted on when it is known what follows it
    while (*format != '\0' && result <= SCAN_SILENT) {
        if (scan_is_space((unsigned char)*format)) {
            skip = true;
            format++;
            continue;
        }
        if (*format == '%') {
            format++;
            result = run_conversion(source, dialect, &format, skip, &next, &all);
            stored += result == SCAN_STORED;
        } else {
            result = match_byte(source, *format++, skip);
        }
        skip = false;
    }
    va_end(all.list);
    va_end(next.list);
    if (skip) {
        source_unget(source, skip_spaces(source));
    }
    return result == SCAN_FAILED || (result == SCAN_NO_INPUT && stored == 0) ? EOF : stored;
}
