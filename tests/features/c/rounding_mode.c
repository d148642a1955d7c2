// section: C
// feature: rounding modes (`fesetround`)
// executed: no: floats were rounded to nearest
#include <fenv.h>
int f(double x)
{
    fesetround(FE_UPWARD);
    double y = x / 3;
    return y == 1.5 ? 1 : 0;
}
