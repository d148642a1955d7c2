// section: C
// feature: `_Complex`
// executed: yes
#include <complex.h>
int f(double a)
{
    double complex z = a + 2 * I;
    return cabs(z) > 5 ? 1 : 0;
}
