// Two calls of a function of libm with the same argument give the same, and what the compiler counts bits with has bounds.
#include <math.h>
#include <symcrete.h>

int main(void) {
    double angle = symcrete_double("angle");
    unsigned mask = symcrete_uint("mask");
    double height = sin(angle);
    if (height > 0.5 && mask > 3) {
        if (sin(angle) < 0.25)
            return 1; //~ unreachable
        if (log(angle) == 2.0)
            return 2; //~ reached
    }
    if (__builtin_popcount(mask) == 33)
        return 3; //~ unreachable
    if (__builtin_popcount(mask) == 31 && mask < 0x80000000u)
        return 4; //~ reached
    if (sqrt(fabs(angle)) < 0)
        return 5; //~ unreachable
    return 0;
}
