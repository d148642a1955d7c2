// An equality through three functions of libm.
// paths: 4
// findings: none
// oracle: none
#include <math.h>
#include <symcrete.h>

int main(void) {
    double x = symcrete_double("x");
    if (exp(sin(x)) == 1.5)
        return 1;
    if (log(x) == 2)
        return 2;
    if (pow(x, 3) == tan(x))
        return 3;
    return 0;
}
