// The upper half of a float is an input: zeros, subnormal numbers, infinities and NaNs are told apart.
// paths: 8
// findings: none
// exhaustive: yes
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned short upper;
    klee_make_symbolic(&upper, sizeof upper, "upper");
    unsigned bits = (unsigned)upper << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    if (value != value)
        return 1;
    if (value == 0.0f)
        return (upper & 0x8000) ? 2 : 3;
    if (value - value != 0.0f)
        return value < 0 ? 4 : 5;
    if (value < 1.17549435e-38f && value > -1.17549435e-38f)
        return 6;
    if (value * value == 2.25f)
        return 7;
    return value > 1e30f ? 8 : 0;
}
