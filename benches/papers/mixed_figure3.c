// mixed_figure3: figure 3 of the paper on mixed concrete-symbolic solving, where solutions of a part of the condition
// must not be forgotten.
// Measure: targets, 2 of them. Target 1 can be reached, because x * x wraps (x = 65536, y = 0). With -DBOUNDED, which
// adds x <= 46340, it cannot: then 0 <= x * x <= 2147395600 does not wrap and x * x >= x, so y == x * x gives y >= x,
// against x > y.
#include "target.h"

#ifdef BOUNDED
#define BOUND x <= 46340 &&
#else
#define BOUND
#endif

static void test(int x, int y) {
    if (BOUND x >= 0 && x > y && y == x * x)
        TARGET(1);
    else
        TARGET(2);
}

int main(void) {
    int x = symcrete_int("x"), y = symcrete_int("y");
    test(x, y);
}
