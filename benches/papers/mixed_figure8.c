// mixed_figure8: figure 8 of the paper on mixed concrete-symbolic solving: a Bessel function of a native library, here
// y0 of libm.
// Measure: targets, 2 of them, the two branches Br1 and Br2. Both can be reached (y0(2) is about 0.51).
#include "target.h"
#include <math.h>

static void run_bessel(double x) {
    double y = y0(x);
    if (x >= 1.25 && y > 0.2)
        TARGET(1);
    else
        TARGET(2);
}

int main(void) {
    run_bessel(symcrete_double("x"));
}
