// A function that would fork in every round of its loop, and is said to be pure: nobody looks into it.
// paths: 2
// findings: none
// oracle: none
#include <symcrete.h>

static unsigned mixed(unsigned value) {
    unsigned sum = 0;
    for (unsigned bit = 0; bit < 16; bit++)
        if (value >> bit & 1)
            sum = sum * 31 + bit;
    return sum;
}

int main(void) {
    symcrete_pure(mixed);
    unsigned value = symcrete_uint("value");
    if (mixed(value & 0xFFFF) > 100)
        return 1;
    return 0;
}
