// A number that must be odd for one function and twice another number for a later one.
#include <symcrete.h>

static int odd(long value) {
    return value % 2 != 0;
}

static int is_double(long value, long half) {
    return value == half + half;
}

static int mix(unsigned char *bytes, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        bytes[i] ^= 0x5a;
        sum += bytes[i] > 100 ? 3 : 1;
    }
    return sum;
}

int main(void) {
    long value = symcrete_long("value"), half = symcrete_long("half");
    unsigned char bytes[5];
    symcrete_make_symbolic(bytes, sizeof bytes, "bytes");
    if (!odd(value))
        return 0;
    int sum = mix(bytes, sizeof bytes);
    if (sum > 9 && is_double(value, half))
        return 1; //~ unreachable
    if (sum > 9 && is_double(value - 1, half))
        return 2; //~ reached
    return 3;
}
