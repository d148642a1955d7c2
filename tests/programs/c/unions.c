// Unions: type punning, tagged variants, and arrays of them.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union number {
    uint64_t integer;
    double real;
    float singles[2];
    uint16_t halves[4];
    unsigned char bytes[8];
};

enum kind { INTEGER, REAL, TEXT, LIST };

struct variant {
    enum kind kind;
    union {
        long integer;
        double real;
        char text[16];
        struct {
            struct variant *items;
            int count;
        };
    };
};

static void print(const struct variant *variant) {
    switch (variant->kind) {
    case INTEGER: printf("%ld", variant->integer); break;
    case REAL: printf("%g", variant->real); break;
    case TEXT: printf("\"%s\"", variant->text); break;
    case LIST:
        putchar('[');
        for (int index = 0; index < variant->count; index++) {
            if (index)
                printf(", ");
            print(&variant->items[index]);
        }
        putchar(']');
    }
}

static struct variant doubled(struct variant variant) {
    switch (variant.kind) {
    case INTEGER: variant.integer *= 2; break;
    case REAL: variant.real *= 2; break;
    case TEXT: {
        char copy[16];
        strcpy(copy, variant.text);
        strncat(variant.text, copy, sizeof variant.text - 1 - strlen(variant.text));
        break;
    }
    case LIST:
        for (int index = 0; index < variant.count; index++)
            variant.items[index] = doubled(variant.items[index]);
    }
    return variant;
}

union register_pair {
    uint16_t ax;
    struct {
        uint8_t al, ah;
    };
};

int main(void) {
    const double values[] = {1.0, -2.5, 1e100, 0.1};
    for (int index = 0; index < 4; index++) {
        union number number = {.real = values[index]};
        printf("%016lx %04x%04x %a", (unsigned long)number.integer, number.halves[3], number.halves[0], number.singles[1]);
        for (int byte = 0; byte < 8; byte++)
            printf(" %02x", number.bytes[byte]);
        number.bytes[7] ^= 0x80;
        number.halves[0] += 1;
        printf(" %a\n", number.real);
    }
    struct variant inner[2] = {{TEXT, .text = "inner"}, {REAL, .real = 0.125}};
    struct variant items[3] = {{INTEGER, .integer = 21}, {LIST, .items = inner, .count = 2}, {TEXT, .text = "end"}};
    struct variant list = {LIST, .items = items, .count = 3};
    for (int round = 0; round < 4; round++) {
        print(&list);
        putchar('\n');
        list = doubled(list);
    }
    union register_pair pair = {.ax = 0x12ff};
    pair.al++;
    printf("%04x %02x %02x\n", pair.ax, pair.ah, pair.al);
    pair.ax++;
    pair.ah <<= 1;
    printf("%04x\n", pair.ax);
    printf("%zu %zu %zu\n", sizeof(union number), sizeof(struct variant), sizeof pair);
    return 0;
}
