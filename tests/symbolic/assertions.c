// Several assertions: one always holds, one fails for one input, one for many.
// paths: 7
// findings: assertion-failed
// exhaustive: yes
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int absolute = x < 0 ? -x : +x;
    assert(absolute >= 0);
    signed char narrow = (signed char)absolute;
    assert(narrow >= 0); //~ assertion-failed
    assert(narrow % 2 == 0 || narrow < 120); //~ assertion-failed
    return 0;
}
