/* Fast-math flags.
 * flags: -ffast-math */
#include <math.h>

float sum(const float *v, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * v[i];
    return s;
}

double pick(double a, double b) { return a < b ? a : -b; }

double powers(double x) { return pow(x, 3) + exp(x) / sin(x); }
