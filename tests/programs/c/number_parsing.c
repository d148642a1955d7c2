// strtol, strtoul, strtod and their like, with ends and errors.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const char *integers[] = {"0", "42", "-42", "+7", "  \t12abc", "0x1F", "0X", "0x", "017", "08", "0b101", "zz", "", " ", "-", "- 1",
                                 "2147483647", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                                 "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-1", "99999999999999999999999"};
static const char *reals[] = {"0", "-0", "1", "1.5", ".5", "5.", "-1.25e3", "1e", "1e+", "1e5x", "1E-5", "inf", "-INFINITY", "infinit", "nan",
                              "NaN(12)", "nan(", "0x1p4", "0x.8", "0x1.8p-1", "0xg", "1e308", "1.8e308", "1e309", "-1e400", "5e-324",
                              "2e-324", "1e-400", "0.1", "0.30000000000000004", "123456789012345678901234567890", "9007199254740993",
                              "9007199254740992.999999999999999", "1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072011e-308",
                              "2.2250738585072014e-308", "4.9406564584124654e-324", "8.5e-320", "", ".", "e5", "+.e1", "  3.5  ",
                              "179769313486231580793728971405301e276", "0.000000000000000000000000000000000000000000001",
                              "100000000000000016777215", "100000000000000016777216", "6929495644600919.5", "3.518437208883201171875e13"};

static void parse_integers(int base) {
    for (unsigned index = 0; index < sizeof integers / sizeof integers[0]; index++) {
        char *end;
        errno = 0;
        long value = strtol(integers[index], &end, base);
        int error = errno;
        printf("%ld %d %ld ", value, error, (long)(end - integers[index]));
        errno = 0;
        unsigned long positive = strtoul(integers[index], &end, base);
        printf("%lu %d %ld\n", positive, errno, (long)(end - integers[index]));
    }
}

static void parse_reals(void) {
    for (unsigned index = 0; index < sizeof reals / sizeof reals[0]; index++) {
        char *end;
        errno = 0;
        double value = strtod(reals[index], &end);
        int error = errno;
        printf("%a %d %ld ", value, error, (long)(end - reals[index]));
        errno = 0;
        float single = strtof(reals[index], &end);
        printf("%a %d %ld\n", single, errno, (long)(end - reals[index]));
    }
}

/* Text to number and back must be the identity for enough digits. */
static void round_trips(void) {
    uint64_t state = 88172645463325252u;
    int same = 0;
    for (int round = 0; round < 60; round++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        double value = (double)(int64_t)state / (double)(state >> 40 | 1);
        char text[40];
        snprintf(text, sizeof text, "%.17g", value);
        same += strtod(text, NULL) == value;
    }
    printf("%d\n", same);
}

int main(void) {
    const int bases[] = {0, 10, 16, 8, 2, 36};
    for (int index = 0; index < 6; index++)
        parse_integers(bases[index]);
    parse_reals();
    round_trips();
    printf("%d %ld %lld %g\n", atoi(" -12x"), atol("123456789012"), atoll("-9"), atof("2.5e2z"));
    errno = 0;
    printf("%" PRIdMAX " %" PRIuMAX " %lld %llu\n", strtoimax("-77", NULL, 10), strtoumax("77", NULL, 8), strtoll("0x7f", NULL, 0),
           strtoull("zz", NULL, 36));
    strtol("5", NULL, 1);
    printf("%d\n", errno == EINVAL);
    return 0;
}
