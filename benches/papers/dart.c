// dart: the introductory examples of the DART paper (Godefroid, Klarlund, Sen 2005), named in section 5 of the Concolic
// Walk paper: a linear equation behind a call, and a cube that is positive for a negative number, or the other way
// round, only when it overflows.
// Measure: branches, 14 (7 conditions, two ways each). All can be reached; the second half of `cube` needs a positive
// number with a cube that is not, which wrapping arithmetic gives (x = 2048: the cube is 2^33, which wraps to 0).
#include "target.h"

static int twice(int x) { return 2 * x; }

static void linear(int x, int y) {
    if (x != y)
        if (twice(x) == x + 10)
            TARGET(1);
}

static void cube(int x, int y) {
    if (x * x * x > 0) {
        if (x > 0 && y == 10)
            TARGET(2);
    } else if (x > 0 && y == 20)
        TARGET(3);
}

int main(void) {
    int x = symcrete_int("x"), y = symcrete_int("y");
    linear(x, y);
    cube(x, y);
}
