// Frees the middle of an allocation, for some inputs.
// paths: at least 3
// findings: invalid-free
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    char *text = malloc(16), *next = text;
    if (x > 240)
        next += x & 8;
    free(next); //~ invalid-free
    return 0;
}
