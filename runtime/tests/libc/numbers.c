// Comparisons of number parsing: strtol and strtod with their relatives, on text made to hit the hard cases.
#define _GNU_SOURCE
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "differential.h"

OURS(strtol);
OURS(strtoul);
OURS(strtoll);
OURS(strtoull);
OURS(strtoimax);
OURS(strtoumax);
OURS(atoi);
OURS(atol);
OURS(atoll);
OURS(strtof);
OURS(strtod);
OURS(strtold);
OURS(atof);
OURS(wcstol);
OURS(wcstoul);
OURS(wcstod);
long our___isoc23_strtol(const char *text, char **end, int base);

#define COMPARE_INTEGER(name)                                                                                          \
    do {                                                                                                               \
        char *their_end = NULL, *our_end = NULL;                                                                       \
        errno = our_errno = 0;                                                                                         \
        __auto_type theirs = name(text, &their_end, base);                                                             \
        __auto_type ours = our_##name(text, &our_end, base);                                                           \
        CHECK(theirs == ours && their_end == our_end && errno == our_errno, #name " \"%s\" base %d", text, base);      \
    } while (0)

static void compare_integer(char *buffer, size_t length)
{
    char *text = guarded_copy(0, buffer, length + 1);
    int base = (int[]){0, 10, 16, 2, 8, 36, 7, 1, 37, -1}[random_below(random_below(8) ? 7 : 10)];
    COMPARE_INTEGER(strtol);
    COMPARE_INTEGER(strtoul);
    COMPARE_INTEGER(strtoll);
    COMPARE_INTEGER(strtoull);
    COMPARE_INTEGER(strtoimax);
    COMPARE_INTEGER(strtoumax);
    CHECK(our_atoi(text) == atoi(text) && our_atol(text) == atol(text) && our_atoll(text) == atoll(text), "atoi %s",
          text);
    wchar_t wide[128], *their_end, *our_end;
    for (size_t i = 0; i <= length; i++)
        wide[i] = (unsigned char)text[i];
    if (base >= 0 && base != 1 && base <= 36) {
        CHECK(wcstol(wide, &their_end, base) == our_wcstol(wide, &our_end, base) && their_end == our_end, "wcstol %s",
              text);
        CHECK(wcstoul(wide, &their_end, base) == our_wcstoul(wide, &our_end, base) && their_end == our_end, "wcstoul");
    }
}

void test_integers(void)
{
    static const char *limits[] = {"9223372036854775807",  "9223372036854775808",  "9223372036854775809",
                                   "18446744073709551615", "18446744073709551616", "2147483647",
                                   "2147483648",           "0x7fffffffffffffff",   "0x8000000000000000",
                                   "0xffffffffffffffff",   "0x10000000000000000"};
    for (int round = 0; round < 40000; round++) {
        char text[128], *place = text;
        for (unsigned spaces = random_below(3); spaces > 0; spaces--)
            *place++ = " \t\n\v\f\r"[random_below(6)];
        if (random_below(2))
            *place++ = "+--"[random_below(3)];
        if (random_below(6) == 0)
            place = stpcpy(place, limits[random_below(11)]);
        if (random_below(3) == 0)
            place = stpcpy(place, random_below(2) ? "0x" : "0");
        place += random_string(place, random_below(3) ? 5 : 30, random_below(2) ? "0123456789" : "0179abfxXzgG- ");
        compare_integer(text, (size_t)(place - text));
    }
    char *end;
    CHECK(our___isoc23_strtol("0b101", &end, 0) == 5 && *end == '\0', "C23 binary, base 0");
    CHECK(our___isoc23_strtol("-0B11", &end, 2) == -3 && *end == '\0', "C23 binary, base 2");
    CHECK(our___isoc23_strtol("0b2", &end, 0) == 0 && *end == 'b', "C23 binary without digits");
    CHECK(our___isoc23_strtol("0b1", &end, 16) == 0xb1 && *end == '\0', "C23 binary, base 16");
    CHECK(our_strtol("0b1", &end, 0) == 0 && *end == 'b', "no binary before C23");
}

// glibc 2.36 loses the first bit after a full significand when hexadecimal text is below the normal numbers, and then
// takes what is inexact for exact (and might round the wrong way).
static int is_known_difference(const char *text, long double ours, long double least_normal)
{
    return strchr(text, 'x') != NULL && fabsl(ours) <= least_normal;
}

// Compares by bits, so that zeros and NaNs count.
#define COMPARE_FLOAT(type, name, bytes, least)                                                                        \
    do {                                                                                                               \
        char *their_end = NULL, *our_end = NULL;                                                                       \
        errno = our_errno = 0;                                                                                         \
        type theirs = name(text, &their_end), ours = our_##name(text, &our_end);                                       \
        CHECK((memcmp(&theirs, &ours, bytes) == 0 && their_end == our_end && errno == our_errno)                       \
                  || is_known_difference(text, ours, least),                                                           \
              #name " \"%s\": %La, ours %La; errno %d, ours %d", text, (long double)theirs, (long double)ours, errno,  \
              our_errno);                                                                                              \
    } while (0)

static void compare_float(const char *text)
{
    COMPARE_FLOAT(float, strtof, 4, FLT_MIN);
    COMPARE_FLOAT(double, strtod, 8, DBL_MIN);
    COMPARE_FLOAT(long double, strtold, 10, LDBL_MIN);
}

static double random_double(void)
{
    union {
        uint64_t bits;
        double value;
    } number = {random_bits()};
    switch (random_below(6)) {
    case 0:
        number.bits &= 0x800fffffffffffff; // subnormal
        break;
    case 1:
        number.bits = (number.bits & 0x800fffffffffffff) | (uint64_t)(1023 + random_below(80) - 40) << 52;
        break;
    case 2:
        number.bits = (number.bits & 0x800000000000000f) | (number.bits & 0x7ff0000000000000); // few bits
        break;
    default:
        break;
    }
    return isfinite(number.value) ? number.value : 1.5;
}

static long double random_long_double(void)
{
    union {
        struct {
            uint64_t significand;
            uint16_t sign_and_exponent;
        } fields;
        long double value;
    } number = {{random_bits() | (uint64_t)1 << 63, (uint16_t)random_bits()}};
    if (random_below(6) == 0)
        number.fields = (__typeof(number.fields)){random_bits() >> 1, (uint16_t)(random_bits() & 0x8000)};
    if ((number.fields.sign_and_exponent & 0x7fff) == 0x7fff)
        number.fields.sign_and_exponent &= 0xbfff;
    return number.value;
}

static float random_float(void)
{
    union {
        uint32_t bits;
        float value;
    } number = {(uint32_t)random_bits()};
    if (random_below(4) == 0)
        number.bits &= 0x807fffff;
    return isfinite(number.value) ? number.value : 1.5f;
}

static char text[40000];

// The exact decimal text of a number half-way between two doubles (or floats), perhaps with one more digit far behind.
static void halfway_text(void)
{
    if (random_below(2)) {
        double value = random_double();
        long double middle = ((long double)value + nextafter(value, INFINITY)) / 2;
        snprintf(text, sizeof text, "%.1100Lf", isfinite(middle) ? middle : 1.0L);
    } else {
        float value = random_float();
        double middle = ((double)value + nextafterf(value, INFINITY)) / 2;
        snprintf(text, sizeof text, "%.*f", random_below(2) ? 200 : 1100, isfinite(middle) ? middle : 1.0);
    }
    if (random_below(2) && strchr(text, '.') != NULL)
        strcat(text, random_below(2) ? "1" : "0000000000000000000001");
}

// The same between two long doubles, built by hand because nothing wider is at hand: value and the next, averaged in
// text.
static void halfway_long_double_text(void)
{
    union {
        struct {
            uint64_t significand;
            uint16_t sign_and_exponent;
        } fields;
        long double value;
    } number = {.value = random_long_double()};
    number.fields.sign_and_exponent = (uint16_t)(16383 + 64 + random_below(200)); // an integer
    number.fields.significand = random_bits() | (uint64_t)1 << 63;
    int digits = snprintf(text, sizeof text, "%.0Lf", number.value);
    // Half a unit in the last place is 2 ^ (exponent - 64); add it to the decimal text.
    char half[256];
    int half_digits = snprintf(half, sizeof half, "%.0Lf", ldexpl(1, number.fields.sign_and_exponent - 16383 - 64));
    int carry = 0;
    for (int i = 1; i <= digits; i++) {
        int sum = text[digits - i] - '0' + carry + (i <= half_digits ? half[half_digits - i] - '0' : 0);
        text[digits - i] = (char)('0' + sum % 10);
        carry = sum / 10;
    }
    if (carry) {
        memmove(text + 1, text, (size_t)digits + 1);
        text[0] = '1';
    }
    if (random_below(2))
        strcat(text, random_below(2) ? ".00000000000000000000000000001" : ".0");
}

static void printed_text(void)
{
    static const char *formats[] = {"%.*Le", "%.*Lf", "%.*Lg", "%.*La"};
    long double value = random_below(2) ? (long double)random_double() : random_long_double();
    int precision = (int)random_below(random_below(4) ? 25 : 60);
    snprintf(text, sizeof text, formats[random_below(4)], precision, value);
}

static void scientific_text(void)
{
    char digits[64];
    size_t length = random_string(digits, 40, "0123456789");
    size_t point = random_below((unsigned)length + 1);
    int exponent = (int)random_below(random_below(3) ? 700 : 10200) - (int)random_below(random_below(3) ? 700 : 10200);
    snprintf(text, sizeof text, "%s%.*s.%se%d", random_below(2) ? "-" : "", (int)point, digits, digits + point,
             exponent);
}

static void hexadecimal_text(void)
{
    char digits[64];
    size_t length = random_string(digits, random_below(2) ? 12 : 50, "0123456789abcDEF");
    size_t point = random_below((unsigned)length + 1);
    int spread = random_below(3) ? 1200 : 17000, exponent = (int)random_below((unsigned)spread) * 2 - spread;
    if (random_below(3) == 0) { // few bits, to meet half-way cases
        static const char *shapes[] = {"8000000000000", "8000000000000400", "fffffffffffff8", "00000000000008",
                                       "000001"};
        snprintf(digits, sizeof digits, "1%s%s", shapes[random_below(5)], random_below(2) ? "" : "0000000000000000001");
        point = 1;
    }
    snprintf(text, sizeof text, "0x%.*s.%sp%d", (int)point, digits, digits + point, exponent);
}

static void malformed_text(void)
{
    static const char *pieces[] = {"0x", "1", "e", "+", "-", ".",   "inf", "INFinity", "nan", "NaN(", ")",  "12", "p",
                                   "0",  "a", "(", "_", " ", "0x.", "E5",  "infinit",  "P-3", "0x1",  "\t", "9",  "f"};
    text[0] = '\0';
    for (unsigned count = random_below(6); count > 0; count--)
        strcat(text, pieces[random_below(26)]);
}

static void long_text(void)
{
    size_t length = random_below(random_below(20) ? 900 : 12500);
    char *place = text;
    for (size_t i = 0; i < length; i++)
        *place++ = "0123456789"[random_below(10)];
    strcpy(place, ".0e-9");
    snprintf(place, 100, "%se%d", random_below(2) ? ".5" : "",
             (int)random_below(300) - (int)length - (int)random_below(300));
    if (random_below(20) == 0)
        snprintf(place, 100, "e%d", -4940 - (int)length);
}

void test_floats(void)
{
    static void (*const makers[])(void) = {halfway_text,     halfway_long_double_text, printed_text, scientific_text,
                                           hexadecimal_text, malformed_text,           printed_text, scientific_text};
    static const char *special[] = {
        "0",
        "-0",
        "0.0e999999999999",
        "1e999999999999999999",
        "-1e-999999999999999999",
        "0x0p99999999999",
        "0x1p-1075",
        "0x1p-1074",
        "0x1.8p-1075",
        "0x1p-1076",
        "0x1.fffffffffffff8p1023",
        "0x1.fffffffffffff7p1023",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "0x0.fffffffffffff8p-1022",
        "0x0.fffffffffffffcp-1022",
        "nan(0x123)",
        "-nan",
        "nan(12345678901234567890123)",
        "nan(123abc)",
        "nan()",
        "nan(",
        "1.18973149535723176502e4932",
        "1e4933",
        "3.36210314311209350626e-4932",
        "3.6451995318824746025e-4951",
        "1.8225997659412373012e-4951",
        "1.8225997659412373013e-4951",
        "0x1p-16445",
        "0x1p-16446",
        "0x1.8p-16446",
        "0x0.ffffffffffffffffp-16382",
        "0x0.ffffffffffffffff8p-16382",
        "3.4028235677973366e38",
        "1.1754943508222875e-38",
        "7.0064923216240853e-46",
        "7.0064923216240854e-46",
        "9007199254740993",
        "9007199254740992.9999999999999999999999999999999999",
        "1e23",
        "8.5e22",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000001",
    };
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        compare_float(strcpy(text, special[i]));
    for (int round = 0; round < 60000; round++) {
        makers[random_below(8)]();
        compare_float(text);
        if (round % 16 == 0) {
            wchar_t wide[256], *their_end, *our_end;
            if (strlen(text) < 256) {
                for (size_t i = 0; i <= strlen(text); i++)
                    wide[i] = (unsigned char)text[i];
                double theirs = wcstod(wide, &their_end), ours = our_wcstod(wide, &our_end);
                CHECK(memcmp(&theirs, &ours, 8) == 0 && their_end == our_end, "wcstod %s", text);
            }
            long_text();
            compare_float(text);
            CHECK(atof(text) == our_atof(text), "atof %s", text);
        }
    }
}
