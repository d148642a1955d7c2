// Aborts in a function that two callers use, and traps.
// paths: 5
// findings: abort, trap
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

static unsigned char checked(unsigned char x) {
    if (x >= 200)
        abort(); //~ abort
    return x;
}

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x & 1)
        return checked(x) == 13 ? 1 : 2;
    if (x == 66)
        __builtin_trap(); //~ trap
    return checked((unsigned char)(x * 2)) == 28 ? 3 : 4;
}
