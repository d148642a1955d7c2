// blind: the two methods of figure 1 of the Concolic Walk paper. The first multiplies its inputs, the second looks at
// the bits of a double, which in Java takes a native method.
// Measure: targets, 2 of them. Both can be reached.
#include "target.h"
#include <string.h>

static void example1(int x, int y) {
    int z = x * y;
    if (x == z)
        if (x > 2)
            TARGET(1);
}

static void example2(double u) {
    long v;
    memcpy(&v, &u, sizeof v);
    long w = v & 0xff000;
    if (w > 0)
        TARGET(2);
}

int main(void) {
    int x = symcrete_int("x"), y = symcrete_int("y");
    example1(x, y);
    example2(symcrete_double("u"));
}
