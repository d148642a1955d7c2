// lazy_fig6: figure 6 of the paper on lazy expansion: the called function changes a global, so that an abstraction that keeps
// nothing but a free return value would call the target reachable.
// Measure: targets, 1 of them. It cannot be reached: `global` is 1 where it is compared with 0.
#include <symcrete.h>

static int global;

static int foo(int u) {
    global = 1;
    if (u == 0)
        return 0;
    else
        return 1;
}

int main(void) {
    global = 0;
    int y = symcrete_int("y");
    int x = foo(y);
    if (global == 0 && x == 0)
        symcrete_target(); // the label L
    return x;
}
