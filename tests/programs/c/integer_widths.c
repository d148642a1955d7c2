// Arithmetic at every width of integer: wrap-around, promotion, narrowing.
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#define UNSIGNED_CASE(type, format)                                                                                    \
    static void unsigned_##type(type left, type right) {                                                               \
        type sum = left + right, difference = left - right, product = 1u * left * right;                                  \
        printf(#type " %" format " %" format ": %" format " %" format " %" format, left, right, sum, difference,       \
               product);                                                                                               \
        printf(" %" format " %" format " %" format " %" format "\n", (type)~left, (type)(left & right),                \
               (type)(left | right), (type)(left ^ right));                                                            \
    }

UNSIGNED_CASE(uint8_t, PRIu8)
UNSIGNED_CASE(uint16_t, PRIu16)
UNSIGNED_CASE(uint32_t, PRIu32)
UNSIGNED_CASE(uint64_t, PRIu64)

static void limits(void) {
    printf("%d %d %d %d\n", SCHAR_MIN, SCHAR_MAX, UCHAR_MAX, CHAR_MIN);
    printf("%d %d %d\n", SHRT_MIN, SHRT_MAX, USHRT_MAX);
    printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
    printf("%ld %ld %lu\n", LONG_MIN, LONG_MAX, ULONG_MAX);
    printf("%lld %lld %llu\n", LLONG_MIN, LLONG_MAX, ULLONG_MAX);
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(void *),
           sizeof(long double));
}

static void narrow_counters(void) {
    unsigned char byte = 250;
    unsigned short half = 65530;
    unsigned word = 4294967290u;
    uint64_t wide = UINT64_MAX - 5;
    for (int step = 0; step < 12; step++)
        printf("%u %u %u %" PRIu64 "\n", byte++, half++, word++, wide++);
    for (int step = 0; step < 12; step++)
        printf("%u %u %u %" PRIu64 "\n", --byte, --half, --word, --wide);
}

/* Signed arithmetic that stays in range, built so that the compiler cannot fold it. */
static int64_t mixed(int8_t tiny, int16_t small, int32_t medium, int64_t large) {
    int64_t result = large / 2 - (int64_t)medium * small;
    result += tiny * -3;
    result -= (int8_t)(small + medium);
    result ^= (int16_t)(medium - tiny);
    return -result;
}

static void promotions(void) {
    unsigned char high = 200, higher = 100;
    printf("%d %d %d\n", high + higher, (unsigned char)(high + higher), (signed char)high);
    printf("%d %d\n", -1 < 1, -1 < 1u);
    printf("%d %d\n", (short)-1 < (unsigned short)1, -1L < 1u);
    signed char minus = -1;
    printf("%u %u %d\n", (unsigned)minus, (unsigned char)minus, (unsigned short)minus);
    printf("%d %d\n", 'a' + 1, sizeof('a') == sizeof(int));
    _Bool truth = 256;
    truth += 3;
    printf("%d %d %d\n", truth, (_Bool)0.5, !truth);
}

int main(void) {
    limits();
    const uint64_t values[] = {0, 1, 2, 127, 128, 255, 256, 32767, 65535, 65536, 2147483647, 2147483648u, 4294967295u,
                               9223372036854775807u, 18446744073709551615u};
    const int count = sizeof values / sizeof values[0];
    for (int left = 0; left < count; left++) {
        uint64_t right = values[(left * 7 + 3) % count];
        unsigned_uint8_t((uint8_t)values[left], (uint8_t)right);
        unsigned_uint16_t((uint16_t)values[left], (uint16_t)right);
        unsigned_uint32_t((uint32_t)values[left], (uint32_t)right);
        unsigned_uint64_t(values[left], right);
    }
    narrow_counters();
    int64_t accumulated = 1;
    for (int step = -20; step < 20; step++) {
        accumulated = mixed((int8_t)(step * 6), (int16_t)(step * 901), step * 300007, accumulated);
        printf("%" PRId64 "\n", accumulated);
    }
    promotions();
    return 0;
}
