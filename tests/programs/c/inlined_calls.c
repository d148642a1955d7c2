// Small functions that meet what they cannot do: undefined padding, wide values, a null pointer that is checked by the caller.
// 64-bit: 32-bit targets have no __int128
#include <stdio.h>
#include <string.h>

struct mixed {
    char tag;
    int value;
};

static int get(const struct mixed *from) { return from->value; }
static long long widen(int value) { return (long long)value * 3; }
static __int128 square(long long value) { return (__int128)value * value; }
static int divide(int a, int b) { return a / b; }
static unsigned rotate(unsigned value, int by) { return value >> by | value << (32 - by); }
static struct mixed same(struct mixed value) { return value; }
static long long raw(const struct mixed *from) { return *(const long long *)from; }
static int low(long long bits) { return (int)(bits >> 32); }

int main(void) {
    struct mixed one = {'a', 41}, two;
    two.tag = 'b';
    two.value = 1;
    int sum = 0;
    for (int round = 0; round < 3; round++) {
        sum += get(&one) + get(&two);
        sum += low(raw(&two));
        sum += same(two).value;
        sum += (int)(square(widen(round + 5)) % 1000);
        sum += divide(100 + round, round + 1);
        sum ^= (int)rotate((unsigned)sum, 7);
    }
    printf("%d %d\n", sum, memcmp(&one.value, &two.value, sizeof one.value) != 0);
    return 0;
}
