// Integers and floats in one condition, by casts both ways.
// paths: 4
// findings: none
// oracle: none
#include <symcrete.h>

int main(void) {
    double x = symcrete_double("x");
    int n = symcrete_int("n");
    if ((int)(x * n) == 1234567 && x > 1.5 && n < 1000)
        return (float)x == x ? 1 : 2;
    return 0;
}
