// symcretic_slicing: figure 7 of the paper on symcretic execution: N conditionals, each on an int parameter of its own, that
// have nothing to do with the target. N is 9 as in the paper, or 64 with -DN=64; x1 is written out because a comma stands
// before each of the others. Unlike in the figure, the tested variable is a global that is set before the conditionals, which
// write other memory, so that one has to look past them to learn its value.
// Measure: targets, 1 of them. It cannot be reached: `tested` is 0 where it is compared with 1.
#include "symcretic_conditionals.h"
#include <symcrete.h>

#define CONDITIONAL(k) if (x##k > 0) { other[k] = 1; } else { other[k] = 2; }

int tested;
int other[N + 1];

void slicing(int x1 OTHERS(PARAMETER)) {
    tested = 0;
    CONDITIONAL(1)
    OTHERS(CONDITIONAL)

    if (tested == 1)
        symcrete_target(); // target 1
}
