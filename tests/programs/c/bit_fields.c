// Bit fields: signed, unsigned, crossing bytes, packed, of enumerations, zero width, in unions.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct flags {
    unsigned ready : 1;
    unsigned mode : 3;
    signed level : 5;
    unsigned : 3;
    unsigned count : 12;
    int last : 8;
};

struct wide_fields {
    uint64_t first : 33;
    int64_t second : 31;
    uint64_t third : 60;
    _Bool fourth : 1;
    unsigned char fifth : 3;
};

struct __attribute__((packed)) packed_fields {
    unsigned char tag : 4;
    unsigned middle : 30;
    short end : 14;
    char tail;
};

enum colour { RED, GREEN, BLUE, VIOLET };

struct with_zero_width {
    unsigned before : 5;
    unsigned : 0;
    unsigned after : 5;
    enum colour colour : 2;
};

union view {
    struct {
        uint32_t fraction : 23;
        uint32_t exponent : 8;
        uint32_t sign : 1;
    } parts;
    float value;
    uint32_t bits;
};

static void dump(const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t index = 0; index < size; index++)
        printf("%02x", bytes[index]);
    putchar('\n');
}

static struct flags step(struct flags flags) {
    flags.ready ^= 1;
    flags.mode += 3;
    flags.level = (flags.level * 5 + 2) % 16;
    flags.count -= 1000;
    flags.last = flags.mode - flags.level;
    return flags;
}

int main(void) {
    struct flags flags;
    memset(&flags, 0, sizeof flags);
    for (int round = 0; round < 12; round++) {
        flags = step(flags);
        printf("%u %u %d %u %d ", flags.ready, flags.mode, flags.level, flags.count, flags.last);
        dump(&flags, sizeof flags);
    }
    struct wide_fields wide;
    memset(&wide, 0, sizeof wide);
    for (int round = 0; round < 8; round++) {
        wide.first = wide.first * 3 + 0x123456789;
        wide.second = -(int64_t)(wide.first & 0x3fffffff);
        wide.third = (uint64_t)wide.first << 27 ^ wide.third;
        wide.fourth = wide.first & 2;
        wide.fifth += 3;
        printf("%llx %lld %llx %d %d ", (unsigned long long)wide.first, (long long)wide.second,
               (unsigned long long)wide.third, wide.fourth, wide.fifth);
        dump(&wide, sizeof wide);
    }
    struct packed_fields packed[3];
    memset(packed, 0, sizeof packed);
    for (int index = 0; index < 3; index++)
        packed[index] = (struct packed_fields){(unsigned char)(index + 9), 0x2abcdef0u >> index, (short)(-1000 * index), (char)('a' + index)};
    dump(packed, sizeof packed);
    printf("%zu %zu %zu %zu\n", sizeof flags, sizeof wide, sizeof packed[0], sizeof(struct with_zero_width));
    struct with_zero_width zero = {.before = 31, .after = 17, .colour = VIOLET};
    zero.before++;
    printf("%u %u %d\n", zero.before, zero.after, zero.colour);
    union view view = {.value = -6.25f};
    printf("%u %u %u\n", view.parts.sign, view.parts.exponent, view.parts.fraction);
    view.parts.exponent += 3;
    view.parts.sign = 0;
    printf("%g %08x\n", view.value, view.bits);
    return 0;
}
