// Conversions between integers of all widths, floats and bools.
// 64-bit: floats out of range convert in another way in 32-bit code
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void from_integer(int64_t value) {
    volatile int64_t source = value;
    printf("%d %u %d %u %d %u %ld %lu ", (int8_t)source, (uint8_t)source, (int16_t)source, (uint16_t)source,
           (int32_t)source, (uint32_t)source, (long)source, (unsigned long)source);
    printf("%a %a %a %a %La\n", (float)source, (double)source, (float)(uint64_t)source, (double)(uint64_t)source,
           (long double)source);
    printf("%a %a %a %d\n", (float)(uint32_t)source, (double)(int32_t)source, (float)(int16_t)source, (_Bool)source);
}

static void from_double(double value) {
    volatile double source = value;
    printf("%g: ", source);
    if (source > -129 && source < 128)
        printf("%d ", (int8_t)source);
    if (source > -1 && source < 256)
        printf("%u ", (uint8_t)source);
    if (source > -2147483649.0 && source < 2147483648.0)
        printf("%d ", (int32_t)source);
    if (source > -1 && source < 4294967296.0)
        printf("%u ", (uint32_t)source);
    if (source >= -9223372036854775808.0 && source < 9223372036854775808.0)
        printf("%ld ", (long)source);
    if (source > -1 && source < 18446744073709551616.0)
        printf("%lu ", (unsigned long)source);
    printf("%a %d %d\n", (float)source, (_Bool)source, !source);
}

static void bits_of(double value) {
    uint64_t wide;
    uint32_t narrow;
    float single = (float)value;
    memcpy(&wide, &value, 8);
    memcpy(&narrow, &single, 4);
    printf("%016lx %08x\n", (unsigned long)wide, narrow);
}

/* The classical pitfalls of C's conversions, computed at run time. */
static void pitfalls(int minus_one, unsigned one, char high, short small) {
    printf("%d %d %d\n", minus_one > (int)one, (unsigned)minus_one > one, minus_one > (long)one);
    printf("%d %u %d\n", high, (unsigned char)high, high >> 1);
    printf("%x %x\n", (unsigned)small, (unsigned)(unsigned short)small);
    printf("%ld %lu\n", (long)minus_one, (unsigned long)(unsigned)minus_one);
    printf("%d %d\n", (int)3.99, (int)-3.99);
    printf("%.1f %.1f\n", (double)(1 / 2), 1 / 2.0);
}

int main(void) {
    const int64_t integers[] = {0, 1, -1, 127, 128, -128, -129, 255, 256, 32768, -32769, 65535, 16777217, -16777219, 2147483647,
                                -2147483648, 4294967295, 4294967296, 9007199254740993, -9007199254740995,
                                4611686018427387905, INT64_MAX, INT64_MIN, 0x7fffff4000000001, 0x123456789abcdef};
    for (unsigned index = 0; index < sizeof integers / sizeof integers[0]; index++)
        from_integer(integers[index]);
    const double doubles[] = {0.0, -0.0, 0.5, -0.99, 1.5, 2.5, 127.9, -128.9, 255.5, 1e5, -1e5, 2147483647.5, -2147483648.5,
                              4294967295.9, 1e15, -1e15, 9.2e18, 1.8e19, 1e30, 1e39, 1e-40, 3.14159265358979};
    for (unsigned index = 0; index < sizeof doubles / sizeof doubles[0]; index++) {
        from_double(doubles[index]);
        bits_of(doubles[index]);
    }
    pitfalls(-1, 1, (char)0xe9, (short)-2);
    return 0;
}
