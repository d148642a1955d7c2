// symcretic_narrow: figure 8 of the paper on symcretic execution: an absolute value that is negative.
// Measure: targets, 1 of them. It can be reached, with the smallest int alone, whose negation wraps to itself.
#include <symcrete.h>

void narrow(int x) {
    int y;
    if (x >= 0) {
        y = x;
    } else {
        y = -x;
    }
    if (y < 0) {
        symcrete_target(); // target 1
    }
}
