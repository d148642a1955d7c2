// What the files that implement the printf family share: where output goes, and what one conversion asks for.
#ifndef SYMCRETE_FORMAT_H
#define SYMCRETE_FORMAT_H

#include "stream.h"

// Takes formatted bytes. Those that do not fit into `room` go to `drain`, or nowhere if there is none; all are counted.
struct sink {
    char *cursor;    // where the next byte goes
    size_t room;     // how many fit there
    size_t produced; // how many there were
    void (*drain)(struct sink *sink, const char *bytes, size_t count);
    bool failed; // errno says why
    // What the drains of format_sinks.c work on.
    FILE *file;
    char *start;
    size_t capacity;
};

void __format_put_slowly(struct sink *sink, const char *bytes, size_t count);
void __format_fill(struct sink *sink, char byte, size_t count);

static inline void format_put(struct sink *sink, const char *bytes, size_t count)
{
    if (count <= sink->room) {
        memcpy(sink->cursor, bytes, count);
        sink->cursor += count;
        sink->room -= count;
        sink->produced += count;
        return;
    }
    __format_put_slowly(sink, bytes, count);
}

enum format_flag {
    FORMAT_LEFT = 1,
    FORMAT_PLUS = 2,
    FORMAT_SPACE = 4,
    FORMAT_ALTERNATE = 8,
    FORMAT_ZERO = 16,
    FORMAT_GROUP = 32,    // no effect: the C locale groups nothing
    FORMAT_NATIONAL = 64, // no effect: the C locale has one set of digits
};

enum format_length { LENGTH_INT, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_LONG };

// Which argument a part of a conversion takes: none, the next one, or a numbered one (from 1).
enum { ARGUMENT_NONE = 0, ARGUMENT_NEXT = -1 };

// One conversion of a format, from % to its letter.
struct conversion {
    int flags;
    int width;     // 0 if not given
    int precision; // -1 if not given
    enum format_length length;
    char letter;
    int value_argument, width_argument, precision_argument;
};

union format_value {
    long long integer;
    double real;
    long double extended;
    void *pointer;
};

// format_parse.c: parses what follows the %; returns what follows the conversion, or NULL with errno.
const char *__format_parse(const char *format, struct conversion *conversion);

// format.c: the whole of printf. Returns the number of bytes produced, or -1 with errno.
int __format(struct sink *sink, const char *format, va_list arguments);
// Emits the value of one conversion whose width and precision are known.
void __format_emit(struct sink *sink, const struct conversion *conversion, const union format_value *value);
// Emits prefix, zeros and body within the width: the zeros also fill the width if the flags say so.
void __format_field(struct sink *sink, const struct conversion *conversion, const char *prefix, size_t zeros,
                    const char *body, size_t length);

// A va_list that functions can pass on by address, whatever type it has on the target.
struct format_arguments {
    va_list list;
};

// format_arguments.c
enum format_type { TYPE_NONE, TYPE_INT, TYPE_LONG, TYPE_LONG_LONG, TYPE_REAL, TYPE_EXTENDED, TYPE_POINTER };
enum format_type __format_value_type(const struct conversion *conversion);
void __format_fetch(struct format_arguments *arguments, enum format_type type, union format_value *value);
// A negative width also asks for the left.
void __format_apply_width(struct sink *sink, struct conversion *conversion, int width);
// The rest of a format, from its first conversion that numbers its arguments; `arguments` are all, from the first.
void __format_positional(struct sink *sink, const char *format, struct format_arguments *arguments);

// format_integer.c
void __format_int(struct sink *sink, int number); // "%d"
void __format_signed(struct sink *sink, const struct conversion *conversion, long long number);
void __format_unsigned(struct sink *sink, const struct conversion *conversion, long long value);
void __format_pointer(struct sink *sink, const struct conversion *conversion, uintptr_t address);

// format_text.c: strings, wide strings, characters, and conversions that do not exist.
void __format_text(struct sink *sink, const struct conversion *conversion, const char *text);
void __format_wide_text(struct sink *sink, const struct conversion *conversion, const wchar_t *text);
void __format_wide_character(struct sink *sink, const struct conversion *conversion, wchar_t character);
void __format_unknown(struct sink *sink, const struct conversion *conversion);

// A floating-point number taken apart: mantissa * 2^exponent.
struct float_parts {
    bool negative, infinite, not_a_number;
    bool is_extended; // an x87 long double, for which %a looks different
    unsigned long long mantissa;
    int exponent;
};

// format_float.c, format_decimal.c, format_hexfloat.c
void __format_float(struct sink *sink, const struct conversion *conversion, const union format_value *value);
void __format_hexfloat(struct sink *sink, const struct conversion *conversion, const struct float_parts *parts);

// The decimal digits of a number: 0.d1d2d3... * 10^point; zero is the digit 0 with point 1.
struct decimal {
    char *digits;
    int count, point;
    bool carried; // rounding made the number one digit longer
};

// How many digits are wanted: `count` after the point, or `count` in all.
struct decimal_limit {
    bool after_point;
    int count;
};

typedef void use_decimal(struct sink *, const struct conversion *, const struct float_parts *, struct decimal *);

// format_decimal.c: calls `use` with the digits of the number, correctly rounded (ties to even) to the limit.
// Digits past decimal.count are zeros.
void __format_decimal(const struct float_parts *parts, struct decimal_limit limit, use_decimal *use, struct sink *sink,
                      const struct conversion *conversion);

// format_sinks.c: printf to streams and to memory that grows.
int __format_to_stream(FILE *file, const char *format, va_list arguments);
int __format_to_memory(char *bytes, size_t size, const char *format, va_list arguments);
int __format_to_heap(char **result, const char *format, va_list arguments);
int __format_to_descriptor(int descriptor, const char *format, va_list arguments);

#endif
