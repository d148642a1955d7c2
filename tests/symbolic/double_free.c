// Frees twice where two conditions meet.
// paths: 4
// findings: double-free
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    char *text = malloc(8);
    if (x == 17)
        free(text);
    if (x + y == 200)
        free(text); //~ double-free
    else if (x != 17)
        free(text);
    return 0;
}
