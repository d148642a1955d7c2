// section: The C library and POSIX
// feature: `math.h`, `complex.h`
// executed: yes
#include <math.h>
int f(double x)
{
    return cos(x) > 0.5 && floor(x) == 7 ? 1 : 0;
}
