// x87 long doubles: arithmetic, printing, conversions, parsing, arguments.
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dump(long double value) {
    unsigned char bytes[sizeof value];
    memcpy(bytes, &value, 10);
    for (int index = 9; index >= 0; index--)
        printf("%02x", bytes[index]);
    putchar('\n');
}

static long double sum(int count, ...) {
    va_list list;
    va_start(list, count);
    long double total = 0;
    for (int index = 0; index < count; index++)
        total += index % 2 ? va_arg(list, long double) : (long double)va_arg(list, double);
    va_end(list);
    return total;
}

static long double square_root(long double value) {
    long double guess = value;
    for (int step = 0; step < 12; step++)
        guess = (guess + value / guess) / 2;
    return guess;
}

int main(void) {
    volatile long double one = 1, three = 3, tiny = LDBL_MIN, huge = LDBL_MAX;
    long double third = one / three;
    printf("%Lf %Le %Lg %La\n", third, third, third, third);
    printf("%.25Lf %.30Lg %.0Lf %20.5Lf|\n", third, third, 2.5L, -third);
    dump(third);
    dump(-one);
    dump(tiny / 2);
    dump(huge * 2);
    dump(huge * 2 - huge * 2);
    dump((long double)0.1 - 0.1L);
    printf("%Lg %Lg %Lg %d %d %d\n", LDBL_MAX, LDBL_MIN, LDBL_EPSILON, LDBL_DIG, LDBL_MANT_DIG, LDBL_MAX_EXP);
    printf("%.20Lg\n", sum(4, 1.5, 2.25L, -0.125, 1e-18L));
    printf("%.20Lf %.17g\n", square_root(2), (double)square_root(2));
    printf("%.20Lf %.20Lf %.20Lf\n", sqrtl(2), sinl(one), powl(three, 0.5L));
    printf("%Lf %Lf %Lf %Lf\n", floorl(-2.5L), ceill(-2.5L), fabsl(-2.5L), fmodl(10, 3 * one));
    const int64_t integers[] = {0, -1, INT64_MAX, INT64_MIN, 1234567890123456789};
    for (int index = 0; index < 5; index++) {
        long double wide = integers[index];
        dump(wide);
        dump((long double)(uint64_t)integers[index]);
        printf("%.0Lf %ld %a %a %d\n", wide, (long)wide, (double)wide, (float)wide, wide < 0);
    }
    printf("%d %u %lu\n", (int)(three * -1.3L), (unsigned)(three * 1e9L), (unsigned long)(three * 6e18L));
    char *end;
    long double parsed = strtold("0.1000000000000000055511151231257827 rest", &end);
    dump(parsed);
    printf("%s\n", end);
    dump(strtold("0x1.fffffffffffffffep3", 0));
    dump(strtold("1e-4940", 0));
    dump(strtold("-inf", 0));
    sscanf("2.5e3", "%Lf", &parsed);
    printf("%Lg %d %d\n", parsed, one < three, isnan(parsed - NAN) != 0);
    int exponent;
    long double fraction = frexpl(1e300L, &exponent);
    printf("%.20Lf %d %Lg\n", fraction, exponent, ldexpl(fraction, 10));
    return 0;
}
