// Two conditions on doubles, the second with library functions: the program of the page on Concolic Walk.
#include <math.h>

int classify(double x, double y)
{
    if (x * y == 6.25 && x + y > 10)
        return 1;
    if (exp(sin(x)) == 1.5)
        return 2;
    return 0;
}
