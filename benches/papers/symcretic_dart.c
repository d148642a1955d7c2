// symcretic_dart: figure 5 of the paper on symcretic execution: one function with a cube, one that looks at the bits of a
// float, which in Java takes a native method.
// Measure: targets, 2 of them. Both can be reached, the first with any x and one y for it, the second with u = 0.0 alone.
#include <string.h>
#include <symcrete.h>

void dart(int x, int y) {
    int a = x * x * x;
    int b = y + 3;
    if (a == b)
        symcrete_target(); // target 1
}

void external(float u) {
    int v;
    memcpy(&v, &u, sizeof v);
    if (v == 0)
        symcrete_target(); // target 2
}
