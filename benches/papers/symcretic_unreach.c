// symcretic_unreach: figure 6 of the paper on symcretic execution: N conditionals, each on an int parameter of its own as in
// the paper, before a target whose two conditions contradict each other. N is 9 as in the paper, or 64 with -DN=64; x1 is
// written out because a comma stands before each of the others.
// Measure: targets, 1 of them. It cannot be reached: y > 0 and y == 0 would have to hold at once.
#include "symcretic_conditionals.h"
#include <symcrete.h>

#define CONDITIONAL(k) if (x##k > 0) { y = y + 1; } else { y = y + 2; }

void unreach(int x1 OTHERS(PARAMETER)) {
    int y = 0;
    CONDITIONAL(1)
    OTHERS(CONDITIONAL)

    if (y > 0) {
        if (y == 0)
            symcrete_target(); // target 1
    }
}
