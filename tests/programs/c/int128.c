// 128-bit integers: arithmetic, shifts, comparisons, division, conversions.
// 64-bit: 32-bit targets have no __int128
#include <stdint.h>
#include <stdio.h>

typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;

static void print_unsigned(unsigned_wide value) {
    char digits[40];
    int position = sizeof digits;
    digits[--position] = 0;
    do
        digits[--position] = (char)('0' + (int)(value % 10));
    while (value /= 10);
    printf("%s ", digits + position);
}

static void print_signed(wide value) {
    if (value < 0) {
        putchar('-');
        print_unsigned(-(unsigned_wide)value);
    } else {
        print_unsigned((unsigned_wide)value);
    }
}

static unsigned_wide factorial(int number) {
    unsigned_wide product = 1;
    for (int factor = 2; factor <= number; factor++)
        product *= (unsigned)factor;
    return product;
}

static uint64_t power_modulo(uint64_t base, uint64_t exponent, uint64_t modulus) {
    uint64_t result = 1;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = (uint64_t)((unsigned_wide)result * base % modulus);
        base = (uint64_t)((unsigned_wide)base * base % modulus);
    }
    return result;
}

static wide passed_around(int first, wide value, int second, wide other) {
    return value * first - other / second;
}

static void shifts(unsigned_wide value) {
    for (int amount = 0; amount < 128; amount += 9) {
        print_unsigned(value << amount);
        print_unsigned(value >> amount);
        print_signed((wide)value >> amount);
        putchar('\n');
    }
}

int main(void) {
    for (int number = 0; number <= 34; number += 2) {
        print_unsigned(factorial(number));
        putchar('\n');
    }
    unsigned_wide big = (unsigned_wide)0x0123456789abcdef << 64 | 0xfedcba9876543210;
    wide negative = -(wide)(big >> 1);
    for (int divisor = -100003; divisor < 100000; divisor += 20011) {
        print_signed(negative / divisor);
        print_signed(negative % divisor);
        print_unsigned(big / ((unsigned_wide)1 << 70 | (unsigned)divisor));
        print_unsigned(big % ((unsigned_wide)1 << 70 | (unsigned)divisor));
        printf("%d %d\n", negative < divisor, big < (unsigned_wide)(wide)divisor);
    }
    shifts(big);
    shifts(~(unsigned_wide)0);
    printf("%lu\n", (unsigned long)power_modulo(1234567890123456789, 987654321987654321, 0xffffffffffffffc5));
    print_signed(passed_around(3, (wide)1 << 90, -7, -((wide)1 << 100)));
    printf("\n%a %a %a\n", (double)big, (double)negative, (float)big);
    print_signed((wide)1.5e30);
    print_unsigned((unsigned_wide)3.25e37);
    print_signed((wide)-1e20f);
    unsigned_wide low = 5;
    low -= 6;
    print_unsigned(low);
    print_unsigned(~low);
    printf("%d %d\n", (int)sizeof(wide), (int)_Alignof(wide));
    return 0;
}
