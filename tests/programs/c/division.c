// Division and remainder: signs, widths, div(), and what compilers make of constant divisors.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const int64_t numbers[] = {0, 1, -1, 2, -2, 7, -7, 10, -10, 100, 127, -128, 255, 1000, -1000, 32767, -32768,
                                  65536, 2147483647, -2147483648, 4294967296, -4294967297, 1000000007, INT64_MAX, INT64_MIN + 1};
enum { COUNT = sizeof numbers / sizeof numbers[0] };

static void pairs(void) {
    for (int left = 0; left < COUNT; left++)
        for (int right = 1; right < COUNT; right += 3) {
            int64_t a = numbers[left], b = numbers[right];
            printf("%" PRId64 " %" PRId64 " ", a / b, a % b);
            printf("%" PRIu64 " %" PRIu64 " ", (uint64_t)a / (uint64_t)b, (uint64_t)a % (uint64_t)b);
            int32_t c = (int32_t)(a / 3), d = (int32_t)b | 1;
            printf("%d %d %u %u ", c / d, c % d, (uint32_t)c / (uint32_t)d, (uint32_t)c % (uint32_t)d);
            int8_t e = (int8_t)a, f = (int8_t)(b | 1);
            printf("%d %d\n", e / f, e % f);
        }
}

static void constants(void) {
    for (int index = 0; index < COUNT; index++) {
        int64_t a = numbers[index];
        int32_t b = (int32_t)(a / 5);
        printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " ", a / 2, a / 3, a / 10, a % 7);
        printf("%d %d %d %d %d %d ", b / 3, b / 7, b / 8, b % 10, b % 16, b / -5);
        printf("%u %u %u\n", (uint32_t)b / 3, (uint32_t)b / 641, (uint32_t)b % 1000);
    }
}

static long greatest_common_divisor(long left, long right) {
    return right ? greatest_common_divisor(right, left % right) : left;
}

static long inverse_modulo(long value, long modulus) {
    long previous = modulus, current = value, x0 = 0, x1 = 1;
    while (current > 1) {
        long quotient = previous / current, next = previous % current, x2 = x0 - quotient * x1;
        previous = current, current = next, x0 = x1, x1 = x2;
    }
    return x1 < 0 ? x1 + modulus : x1;
}

int main(void) {
    pairs();
    constants();
    for (int top = -9; top <= 9; top += 3)
        for (int bottom = -4; bottom <= 4; bottom++)
            if (bottom) {
                div_t small = div(top, bottom);
                ldiv_t large = ldiv(top * 1000003L, bottom);
                lldiv_t larger = lldiv(top * 100000000003LL, bottom);
                printf("%d %d %ld %ld %lld %lld\n", small.quot, small.rem, large.quot, large.rem, larger.quot, larger.rem);
            }
    printf("%ld %ld\n", greatest_common_divisor(1071 * 4620L, 462 * 1029L), inverse_modulo(123456, 1000000007));
    printf("%d %ld %lld\n", abs(-5), labs(-5000000000L), llabs(-7LL));
    return 0;
}
