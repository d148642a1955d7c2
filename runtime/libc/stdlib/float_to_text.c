// ecvt, fcvt, gcvt and strfromd with their relatives: old and new ways around printf, built on snprintf.
#define _GNU_SOURCE
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

enum { DIGITS_ROOM = 512 };

// The digits of "%.*f" without sign and point; zeros before the first significant digit only move the point.
static void fixed(double value, int count, int *point, int *negative, char *out, size_t size)
{
    char printed[DIGITS_ROOM];
    snprintf(printed, sizeof printed, "%.*f", count < 0 ? 0 : count > 17 ? 17 : count, value);
    const char *place = printed;
    *negative = *place == '-';
    place += *negative;
    *point = (int)strcspn(place, ".");
    int strip = place[0] == '0' && place[1] == '.' && value != 0;
    size_t length = 0;
    for (; *place != '\0'; place++) {
        if (*place == '.')
            continue;
        if (strip && *place == '0') {
            --*point;
            continue;
        }
        strip = 0;
        if (length + 1 < size)
            out[length++] = *place;
    }
    out[length] = '\0';
}

// Scaled to one digit before the point, in the steps and with the errors of glibc.
static void scientific(double value, int count, int *point, int *negative, char *out, size_t size)
{
    int exponent = 0;
    double magnitude = value < 0 ? -value : value, factor = 1;
    if (magnitude > 0 && magnitude <= DBL_MAX) {
        if (magnitude < 1e-307) {
            value /= 1e-307;
            magnitude /= 1e-307;
            exponent = -307;
        }
        if (magnitude < 1) {
            do {
                factor *= 10;
                exponent--;
            } while (magnitude * factor < 1);
            value *= factor;
        } else if (magnitude >= 10) {
            do {
                factor *= 10;
                exponent++;
            } while (magnitude >= factor * 10);
            value /= factor;
        }
    }
    if (count > 0) {
        fixed(value, count > 17 ? 16 : count - 1, point, negative, out, size);
    } else {
        *point = 1;
        *negative = value < 0;
        out[0] = '\0';
    }
    *point += exponent;
}

static char shared_text[DIGITS_ROOM];

int ecvt_r(double value, int count, int *restrict point, int *restrict negative, char *restrict out, size_t size)
{
    scientific(value, count, point, negative, out, size);
    return 0;
}

int fcvt_r(double value, int count, int *restrict point, int *restrict negative, char *restrict out, size_t size)
{
    fixed(value, count, point, negative, out, size);
    return 0;
}

char *ecvt(double value, int count, int *point, int *negative)
{
    scientific(value, count, point, negative, shared_text, sizeof shared_text);
    return shared_text;
}

char *fcvt(double value, int count, int *point, int *negative)
{
    fixed(value, count, point, negative, shared_text, sizeof shared_text);
    return shared_text;
}

char *gcvt(double value, int count, char *out)
{
    sprintf(out, "%.*g", count > 17 ? 17 : count, value);
    return out;
}

// The format is '%', perhaps a precision, and one conversion letter; a long double needs an L before it.
static int print_one(char *out, size_t size, const char *format, int is_long, double value, long double long_value)
{
    char with_length[32];
    size_t length = strlen(format);
    if (length < 2 || length > sizeof with_length - 2)
        return -1;
    if (!is_long)
        return snprintf(out, size, format, value);
    memcpy(with_length, format, length - 1);
    with_length[length - 1] = 'L';
    with_length[length] = format[length - 1];
    with_length[length + 1] = '\0';
    return snprintf(out, size, with_length, long_value);
}

int strfromd(char *out, size_t size, const char *format, double value)
{
    return print_one(out, size, format, 0, value, 0);
}

int strfromf(char *out, size_t size, const char *format, float value)
{
    return print_one(out, size, format, 0, value, 0);
}

int strfroml(char *out, size_t size, const char *format, long double value)
{
    return print_one(out, size, format, 1, 0, value);
}
