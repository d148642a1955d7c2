// Differential test of the printf family: random formats and values, the runtime against the C library.
// Usage: printf_test SEED ROUNDS
#define _GNU_SOURCE
#include "testing.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <string.h>
#include <wchar.h>

int sc_vsnprintf(char *bytes, size_t size, const char *format, va_list arguments);
int sc_snprintf(char *bytes, size_t size, const char *format, ...);
int sc_asprintf(char **text, const char *format, ...);

enum { OUTPUT_SIZE = 40000 };
static char expected[OUTPUT_SIZE], actual[OUTPUT_SIZE];

static void compare(const char *format, ...)
{
    va_list first, second;
    va_start(first, format);
    va_copy(second, first);
    size_t size = random_chance(8) ? random_below(40) : OUTPUT_SIZE;
    memset(expected, '~', 64);
    memset(actual, '~', 64);
    errno = 0;
    int expected_length = vsnprintf(expected, size, format, first);
    int expected_error = errno;
    errno = 0;
    int actual_length = sc_vsnprintf(actual, size, format, second);
    int actual_error = errno;
    va_end(first);
    va_end(second);
    int same_error = expected_length >= 0 || expected_error == actual_error;
    size_t compared = size == 0 || expected_length < 0 ? 0 : strlen(expected) + 1;
    if (expected_length != actual_length || !same_error || memcmp(expected, actual, compared) != 0) {
        count_difference(format);
        fprintf(stderr, "  expected %d \"%.300s\"\n", expected_length, expected);
        fprintf(stderr, "  actual   %d \"%.300s\"\n", actual_length, actual);
    }
}

// A conversion under construction: its flags, width and precision, the last two perhaps as stars.
struct built {
    char text[64];
    int stars;
    int star_values[2];
};

static void add(struct built *built, const char *text)
{
    strcat(built->text, text);
}

static void add_number(struct built *built, int number)
{
    sprintf(built->text + strlen(built->text), "%d", number);
}

static int random_precision(int greatest)
{
    switch (random_below(8)) {
    case 0:
        return 0;
    case 1:
        return (int)random_below((unsigned)greatest + 1);
    case 2:
        return (int)random_below(60);
    default:
        return (int)random_below(21);
    }
}

static void start(struct built *built, int greatest_precision)
{
    memset(built, 0, sizeof *built);
    add(built, "%");
    while (random_chance(3)) {
        const char *flags[] = {"-", "+", " ", "#", "0", "'"};
        add(built, flags[random_below(6)]);
    }
    if (random_chance(3)) {
        int width = random_chance(20) ? (int)random_below(1500) : (int)random_below(40);
        if (random_chance(3)) {
            add(built, "*");
            built->star_values[built->stars++] = random_chance(4) ? -width : width;
        } else if (width > 0) {
            add_number(built, width);
        }
    }
    if (random_chance(2)) {
        int precision = random_precision(greatest_precision);
        add(built, ".");
        if (random_chance(4)) {
            add(built, "*");
            built->star_values[built->stars++] = random_chance(6) ? -1 : precision;
        } else if (precision > 0 || random_chance(2)) {
            add_number(built, precision);
        }
    }
}

#define COMPARE_BUILT(built, value)                                                                                    \
    do {                                                                                                               \
        switch ((built).stars) {                                                                                       \
        case 0:                                                                                                        \
            compare((built).text, value);                                                                              \
            break;                                                                                                     \
        case 1:                                                                                                        \
            compare((built).text, (built).star_values[0], value);                                                      \
            break;                                                                                                     \
        default:                                                                                                       \
            compare((built).text, (built).star_values[0], (built).star_values[1], value);                              \
            break;                                                                                                     \
        }                                                                                                              \
    } while (0)

static long long random_integer(void)
{
    switch (random_below(6)) {
    case 0:
        return (long long)random_below(20) - 10;
    case 1: {
        long long edges[] = {0, -1, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN, 127, 128, 255, 256, 65535, 65536};
        return edges[random_below(sizeof edges / sizeof *edges)];
    }
    default:
        return (long long)random_bits() >> random_below(64);
    }
}

static void test_integer(void)
{
    static const char *const lengths[] = {"hh", "h", "", "l", "ll", "j", "z", "t", "q", "L"};
    struct built built;
    start(&built, 100);
    unsigned length = random_below(10);
    add(&built, lengths[length]);
    char letter[2] = {"diuxXobB"[random_below(8)], 0};
    add(&built, letter);
    long long value = random_integer();
    if (length <= 2) {
        COMPARE_BUILT(built, (int)value);
    } else if (length == 3 || length == 6 || length == 7) {
        COMPARE_BUILT(built, (long)value);
    } else {
        COMPARE_BUILT(built, value);
    }
}

static double double_from(uint64_t bits)
{
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double random_double(void)
{
    static const double powers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e9, 1e15, 1e16, 1e22, 1e100};
    double sign = random_chance(2) ? -1 : 1;
    switch (random_below(10)) {
    case 0: // any bits: all magnitudes, infinities, NaN
        return double_from(random_bits());
    case 1: // subnormal
        return double_from(random_bits() >> (12 + random_below(52)));
    case 2: // k / 10^n
        return sign * (double)(random_bits() >> (11 + random_below(50))) / powers[random_below(12)];
    case 3: // a tie at some binary place
        return sign * ((double)(random_bits() >> (20 + random_below(40))) + 0.5) / (double)(1ULL << random_below(30));
    case 4:
        return sign * (double)random_below(1000) / 1000;
    case 5:
        return sign * (double)random_below(100000) * powers[random_below(12)];
    case 6: { // nines
        static const double nines[] = {0.99, 9.995, 99.9995, 999999.5, 9999995, 9.9999999e-5, 0.5, 1.5, 2.5, 0.25};
        return sign * nines[random_below(10)];
    }
    case 7: {
        static const double edges[] = {0, 1, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074, 1e23, 1e-5, 1e-4};
        return sign * edges[random_below(8)];
    }
    case 8: // infinity and NaN, with any sign and payload
        return double_from(random_bits() << 63 | 0x7FF0000000000000ULL | (random_chance(2) ? random_bits() >> 12 : 0));
    default:
        return sign * double_from(((uint64_t)(1023 + (int)random_below(128) - 64) << 52) | random_bits() >> 12);
    }
}

// The bits of an x87 number; those that are no number (a normal exponent without leading bit) are left out.
static long double random_long_double(void)
{
    long double number = 0;
    uint64_t mantissa = random_bits();
    uint16_t top = (uint16_t)random_bits();
    switch (random_below(6)) {
    case 0:
        return random_double();
    case 1: // subnormal
        top &= 0x8000;
        mantissa = mantissa >> 1 >> random_below(63);
        break;
    case 2: // around 1
        top = (uint16_t)((top & 0x8000) | (16383 + (int)random_below(200) - 100));
        break;
    case 3: // few bits: ties
        top = (uint16_t)((top & 0x8000) | (16383 + (int)random_below(100) - 50));
        mantissa <<= random_below(63);
        break;
    default:
        break;
    }
    if ((top & 0x7FFF) != 0) {
        mantissa |= 1ULL << 63;
    }
    memcpy(&number, &mantissa, 8);
    memcpy((char *)&number + 8, &top, 2);
    return number;
}

static void test_double(void)
{
    struct built built;
    start(&built, random_chance(10) ? 1200 : 60);
    char letter[2] = {"eEfFgGaA"[random_below(8)], 0};
    add(&built, letter);
    COMPARE_BUILT(built, random_double());
}

static void test_long_double(void)
{
    struct built built;
    start(&built, random_chance(200) ? 17000 : 60);
    add(&built, "L");
    char letter[2] = {"eEfFgGaA"[random_below(8)], 0};
    add(&built, letter);
    COMPARE_BUILT(built, random_long_double());
}

static void test_text(void)
{
    static const wchar_t *const wide[] = {L"", L"plain", L"h\u00e9llo w\u00f6rld", L"\u20ac\U0001F600x", NULL};
    static const char *const narrow[] = {"", "a", "hello", "a longer string, of some fifty bytes: 0123456789 !", NULL};
    struct built built;
    start(&built, 30);
    switch (random_below(6)) {
    case 0:
        add(&built, "c");
        COMPARE_BUILT(built, (int)random_below(255) + 1);
        break;
    case 1:
        add(&built, random_chance(2) ? "lc" : "C");
        COMPARE_BUILT(built, (wint_t)(random_chance(8) ? 0xD800 : random_below(0xD7FF) + 1));
        break;
    case 2:
        add(&built, random_chance(2) ? "ls" : "S");
        COMPARE_BUILT(built, wide[random_below(5)]);
        break;
    case 3:
        add(&built, "p");
        COMPARE_BUILT(built, (void *)(random_chance(3) ? 0 : random_bits() >> random_below(64)));
        break;
    default:
        add(&built, "s");
        COMPARE_BUILT(built, narrow[random_below(5)]);
        break;
    }
}

// Formats with several conversions over one fixed list of arguments, in order or by number.
static void test_mixture(void)
{
    static const char *const pieces[] = {"[%d]", "x%.3s|", "%8.2f ", "%Lg,", "%lld%%", "%c", "%#x "};
    static const char *const numbered[] = {"[%1$d]", "x%2$.3s|", "%3$8.2f ", "%4$Lg,",
                                           "%5$lld%%", "%6$c", "%7$#x ", "%3$*1$.*6$f "};
    char format[400] = "";
    if (random_chance(2)) {
        for (unsigned i = 0, count = random_below(8); i < count; i++) {
            strcat(format, pieces[i]);
            strcat(format, random_chance(4) ? " and " : "");
        }
    } else {
        strcat(format, random_chance(2) ? "text " : "");
        for (unsigned i = 0, count = random_below(12) + 1; i < count; i++) {
            strcat(format, numbered[random_below(8)]);
        }
        strcat(format, random_chance(2) ? " text" : "");
        strcat(format, "%1$d%2$s%3$f%4$Lf%5$lld%6$c%7$x"); // all types known
    }
    compare(format, (int)random_below(100), "string", random_double(), (long double)random_double(), random_integer(),
            (int)random_below(26) + 'a', (unsigned)random_bits());
}

static void test_fixed_cases(void)
{
    int count = -1;
    long long large = -1;
    compare("%d%n%s", 12, &count, "x");
    compare("%d%lln%s", 12345, &large, "x");
    compare("%%");
    compare("%5%|%-5%|%05%");
    compare("%y %-+05.3ly %# y %I'y %1$y", 1);
    compare("%");
    compare("abc%");
    compare("%-");
    compare("%5");
    compare("%.l");
    compare("%99999999999d", 1);
    compare("%.99999999999d", 1);
    compare("%.-5d|", 42);
    compare("%.*s|", -1, "all of it");
    compare("%.0f %.0f %.0f %.0f", 0.5, 1.5, 2.5, 3.5);
    compare("%.3000Lf", 0x1p-16445L);
    compare("%Lf", 0x1.fffffffffffffffep16383L);
    // The C library takes seconds for these.
    if (sc_snprintf(NULL, 0, "%2147483646d", 1) != INT_MAX - 1 || sc_snprintf(NULL, 0, "%*d", INT_MIN, 1) != -1) {
        count_difference("huge widths");
    }
    errno = ENOENT;
    char *text = NULL;
    int length = sc_asprintf(&text, "%m %300d", 5);
    if (length != (int)strlen("No such file or directory ") + 300 || strlen(text) != (size_t)length) {
        count_difference("asprintf");
    }
    free(text);
}

int main(int count, char **values)
{
    if (count != 3) {
        return 2;
    }
    setlocale(LC_CTYPE, "C.UTF-8");
    seed_random(strtoull(values[1], NULL, 10));
    test_fixed_cases();
    for (long round = strtol(values[2], NULL, 10); round > 0; round--) {
        test_integer();
        test_double();
        test_double();
        test_long_double();
        test_text();
        test_mixture();
    }
    return differences == 0 ? 0 : 1;
}
