// switch: dense, sparse, ranges, 64-bit, negative, on characters and enumerations, fall-through, nested, default first.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static int dense(int value) {
    switch (value) {
    case 0: return 11;
    case 1: return 7;
    case 2: return 19;
    case 3: return 3;
    case 4: return 5;
    case 5: return 23;
    case 6: return 2;
    case 7: return 13;
    default: return -1;
    }
}

static const char *sparse(int value) {
    switch (value) {
    default: return "other";
    case INT_MIN: return "minimum";
    case -1000000: return "minus a million";
    case -1: return "minus one";
    case 0: return "zero";
    case 17: return "seventeen";
    case 65536: return "2^16";
    case 1000000007: return "prime";
    case INT_MAX: return "maximum";
    }
}

static int wide(uint64_t value) {
    switch (value) {
    case 0x8000000000000000: return 1;
    case 0xffffffffffffffff: return 2;
    case 0x100000000: return 3;
    case 0: return 4;
    case 0xdeadbeefcafebabe: return 5;
    }
    return 0;
}

static char classify(int character) {
    switch (character) {
    case '0' ... '9': return 'd';
    case 'a' ... 'z':
    case 'A' ... 'Z': return 'l';
    case ' ':
    case '\t':
    case '\n': return 's';
    case -128 ... -1: return 'n';
    }
    return '?';
}

static int falling(int value) {
    int result = 0;
    switch (value) {
    case 5: result += 5;
    case 4: result += 4;
    case 3: result *= 2;
    case 2: result += 2; break;
    case 1: result = 100;
    default: result++;
    }
    return result;
}

enum weekday { MONDAY = 1, TUESDAY, WEDNESDAY, THURSDAY = 10, FRIDAY, SATURDAY = -5, SUNDAY };

static int hours(enum weekday day, _Bool holiday) {
    switch (day) {
    case MONDAY:
    case TUESDAY:
        switch (holiday) {
        case 0: return 8;
        case 1: return 0;
        }
    case WEDNESDAY: return 6;
    case THURSDAY:
    case FRIDAY: return holiday ? 1 : 7;
    case SATURDAY:
    case SUNDAY: break;
    }
    return 0;
}

static int narrow(signed char value) {
    switch (value) {
    case -128: return 1;
    case 127: return 2;
    case -1: return 3;
    }
    return 4;
}

int main(void) {
    for (int value = -3; value < 12; value++)
        printf("%d ", dense(value));
    const int sparse_values[] = {0, 17, 18, -1, -1000000, 65536, 65535, 1000000007, INT_MAX, INT_MIN, INT_MIN + 1};
    for (int index = 0; index < 11; index++)
        printf("%s, ", sparse(sparse_values[index]));
    const uint64_t wide_values[] = {0, 1, 1ull << 63, ~0ull, 1ull << 32, 0xdeadbeefcafebabe, 0xcafebabe};
    for (int index = 0; index < 7; index++)
        printf("%d ", wide(wide_values[index]));
    for (int character = -130; character < 130; character++)
        putchar(classify(character));
    for (int value = 0; value < 7; value++)
        printf(" %d", falling(value));
    const enum weekday days[] = {MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY};
    for (int index = 0; index < 7; index++)
        printf(" %d/%d", hours(days[index], 0), hours(days[index], 1));
    for (int value = -128; value < 128; value += 51)
        printf(" %d", narrow((signed char)value));
    putchar('\n');
    return 0;
}
