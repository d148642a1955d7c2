// Shifts of every width and amount, rotations, masks, and bit tricks.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate_left(uint32_t value, unsigned amount) {
    return value << (amount & 31) | value >> (-amount & 31);
}

static uint64_t rotate_right(uint64_t value, unsigned amount) {
    return value >> (amount & 63) | value << (-amount & 63);
}

static uint32_t reverse_bits(uint32_t value) {
    value = (value & 0x55555555u) << 1 | (value >> 1 & 0x55555555u);
    value = (value & 0x33333333u) << 2 | (value >> 2 & 0x33333333u);
    value = (value & 0x0f0f0f0fu) << 4 | (value >> 4 & 0x0f0f0f0fu);
    return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

static int count_bits(uint64_t value) {
    int count = 0;
    while (value) {
        value &= value - 1;
        count++;
    }
    return count;
}

static uint32_t next_power_of_two(uint32_t value) {
    value--;
    for (int shift = 1; shift < 32; shift *= 2)
        value |= value >> shift;
    return value + 1;
}

static void every_amount(void) {
    int8_t tiny = -77;
    int16_t small = -12345;
    int32_t medium = -1234567890;
    int64_t large = -1234567890123456789;
    for (int amount = 0; amount < 64; amount++) {
        if (amount < 8)
            printf("%d %d ", tiny >> amount, (uint8_t)((uint8_t)tiny << amount));
        if (amount < 16)
            printf("%d %d ", small >> amount, (uint16_t)((uint16_t)small << amount));
        if (amount < 32)
            printf("%d %u %u ", medium >> amount, (uint32_t)medium >> amount, (uint32_t)medium << amount);
        printf("%ld %lu %lu\n", (long)(large >> amount), (unsigned long)((uint64_t)large >> amount),
               (unsigned long)((uint64_t)large << amount));
    }
}

static void parity_table(void) {
    for (unsigned value = 0; value < 256; value++) {
        unsigned folded = value ^ value >> 4;
        putchar('0' + (0x6996 >> (folded & 15) & 1));
    }
    putchar('\n');
}

int main(void) {
    every_amount();
    for (unsigned amount = 0; amount < 40; amount++)
        printf("%08x %016lx\n", rotate_left(0x12345678, amount), (unsigned long)rotate_right(0x123456789abcdef0, amount * 2));
    uint32_t value = 1;
    for (int step = 0; step < 30; step++) {
        value = value * 1664525u + 1013904223u;
        printf("%08x %08x %d %u\n", value, reverse_bits(value), count_bits((uint64_t)value << 16 | value),
               next_power_of_two(value >> 8));
    }
    parity_table();
    return 0;
}
