// Compiler builtins: bit counting, byte order, overflow checks, expectations, memory, object sizes, constants.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void bits(uint64_t value) {
    uint32_t low = (uint32_t)value;
    printf("%d %d ", __builtin_popcount(low), __builtin_popcountll(value));
    printf("%d %d ", low ? __builtin_clz(low) : 32, value ? __builtin_clzll(value) : 64);
    printf("%d %d ", low ? __builtin_ctz(low) : 32, value ? __builtin_ctzll(value) : 64);
    printf("%d %d %d %d ", __builtin_ffs((int)low), __builtin_ffsll((long long)value), __builtin_parity(low), __builtin_parityll(value));
    printf("%d ", __builtin_clrsb((int)low));
    printf("%04x %08x %016lx ", __builtin_bswap16((uint16_t)value), __builtin_bswap32(low), (unsigned long)__builtin_bswap64(value));
    printf("%08x %016lx ", __builtin_bitreverse32(low), (unsigned long)__builtin_bitreverse64(value));
    printf("%08x %02x\n", __builtin_rotateleft32(low, 7), __builtin_rotateright8((uint8_t)value, 3));
}

#define OVERFLOW(type, format, left, right)                                                                            \
    do {                                                                                                               \
        type sum, difference, product;                                                                                 \
        int a = __builtin_add_overflow((type)(left), (type)(right), &sum);                                             \
        int b = __builtin_sub_overflow((type)(left), (type)(right), &difference);                                      \
        int c = __builtin_mul_overflow((type)(left), (type)(right), &product);                                         \
        printf("%d%d%d " format " " format " " format " ", a, b, c, sum, difference, product);                         \
    } while (0)

static void overflows(int64_t left, int64_t right) {
    OVERFLOW(int8_t, "%d", left, right);
    OVERFLOW(uint8_t, "%d", left, right);
    OVERFLOW(int16_t, "%d", left, right);
    OVERFLOW(int32_t, "%d", left, right);
    OVERFLOW(uint32_t, "%u", left, right);
    OVERFLOW(int64_t, "%ld", left, right);
    OVERFLOW(uint64_t, "%lu", left, right);
    int narrow;
    unsigned char tiny;
    printf("%d ", __builtin_add_overflow(left, right, &narrow));
    printf("%d %d ", narrow, __builtin_mul_overflow((int)left, (unsigned)right, &tiny));
    printf("%d\n", tiny);
}

static int expected(int value) {
    if (__builtin_expect(value > 100, 0))
        return 1;
    switch (value & 3) {
    case 0: return 2;
    case 1: return 3;
    case 2: return 4;
    case 3: return 5;
    default: __builtin_unreachable();
    }
}

static void memory(void) {
    char buffer[40];
    __builtin_memset(buffer, 'm', sizeof buffer);
    __builtin_memcpy(buffer, "copied", 6);
    __builtin_memmove(buffer + 2, buffer, 20);
    buffer[39] = 0;
    printf("%s %d %zu %d\n", buffer, __builtin_memcmp(buffer, "co", 2), __builtin_strlen("twelve chars"), __builtin_strcmp("a", "b") < 0);
    printf("%zu %d %d\n", __builtin_object_size(buffer, 0), __builtin_constant_p(5), __builtin_types_compatible_p(int, long));
    uint64_t packed;
    memcpy(&packed, buffer, 8);
    printf("%016lx %d\n", (unsigned long)packed, __builtin_choose_expr(1, 7, "seven"));
    int *aligned = __builtin_assume_aligned(__builtin_alloca(64), 16);
    aligned[3] = 5;
    __builtin_prefetch(aligned);
    printf("%d %g %g %a\n", aligned[3], __builtin_fabs(-2.5), __builtin_copysign(3, -0.0), __builtin_huge_val());
    printf("%d %d %d\n", __builtin_isnan(__builtin_nan("")) != 0, __builtin_isinf_sign(-__builtin_inf()), __builtin_signbit(-1.0) != 0);
    printf("%g %g %g\n", __builtin_sqrt(2.25), __builtin_floor(-0.5), __builtin_fmax(1, 2));
    unsigned carry;
    unsigned low = __builtin_addc(0xffffffffu, 1u, 0u, &carry);
    printf("%u %u\n", low, carry);
}

int main(void) {
    const uint64_t values[] = {0, 1, 0x80000000, 0xffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0, 0xff00ff00, 96};
    for (int index = 0; index < 9; index++)
        bits(values[index]);
    const int64_t numbers[] = {0, 1, -1, 127, 128, -128, 255, 46341, -65536, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX, INT64_MIN};
    for (int left = 0; left < 14; left++)
        for (int right = left % 2; right < 14; right += 4)
            overflows(numbers[left], numbers[right]);
    for (int value = 96; value < 106; value++)
        printf("%d ", expected(value));
    memory();
    return 0;
}
