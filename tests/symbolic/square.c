// An assertion that fails for the square roots of 49 modulo 2 to the 16th only.
// paths: 5
// findings: assertion-failed
// exhaustive: yes
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned short x;
    klee_make_symbolic(&x, sizeof x, "x");
    unsigned short square = x * x;
    if (x < 100)
        assert(square != 49); //~ assertion-failed
    else
        assert(square != 49 || x > 60000); //~ assertion-failed
    return 0;
}
