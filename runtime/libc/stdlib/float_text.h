// Reading floating-point text exactly: from text to the bits of the nearest number of a binary format.
#ifndef SYMCRETE_FLOAT_TEXT_H
#define SYMCRETE_FLOAT_TEXT_H

#include <stdint.h>

// A binary floating-point format, in the terms of <float.h>.
struct float_format {
    int precision;                  // FLT_MANT_DIG
    int min_exponent, max_exponent; // FLT_MIN_EXP, FLT_MAX_EXP
    int most_digits;                // more decimal digits than this cannot matter, except for whether they are all zero
};

enum float_class { FLOAT_NOTHING, FLOAT_FINITE, FLOAT_INFINITE, FLOAT_NAN };

// What the text says.
struct float_text {
    enum float_class class;
    int negative;
    int hexadecimal;
    const char *end;
    uint64_t nan_payload;

    // A finite value is 0.DDDD * base ^ exponent, where D are the significant digits: no leading zero, not counting the
    // point. (Hexadecimal: the exponent counts bits.)
    const char *digits;
    long digit_count, exponent;
    uint64_t leading; // the value of the first 19 digits (hexadecimal: 16), or of all if there are fewer
};

struct float_text __symcrete_read_float_text(const char *text);

// The number nearest to a finite text: significand with `precision` bits (fewer below the normal numbers), and the
// biased exponent as the format stores it (0: subnormal or zero). Overflow gives the exponent of infinity and
// significand 0.
struct float_bits {
    uint64_t significand;
    int biased_exponent;
    int out_of_range; // overflow, or an inexact tiny result
};

struct float_bits __symcrete_nearest_float(const struct float_text *text, const struct float_format *format);

#endif
