// mixed_figure6: figure 6 of the paper on mixed concrete-symbolic solving, DART's example of a cube.
// Measure: targets, 2 of them, the two calls of `abort` there. Both can be reached, the second because the cube wraps
// (x = 2048). With -DBOUNDED, which adds x <= 1290, the second cannot: 0 < x <= 1290 gives 0 < x * x * x <= 2146689000,
// which does not wrap.
#include "target.h"

static void test(int x, int y) {
#ifdef BOUNDED
    if (x > 1290)
        return;
#endif
    if (x * x * x > 0) {
        if (x > 0 && y == 10)
            TARGET(1);
    } else {
        if (x > 0 && y == 20)
            TARGET(2);
    }
}

int main(void) {
    int x = symcrete_int("x"), y = symcrete_int("y");
    test(x, y);
}
