// An assertion that fails for the factors of a product.
// paths: 2
// findings: assertion-failed
// exhaustive: yes
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    assert(x * y != 241 * 239); //~ assertion-failed
    assert(x * x + y * y != 3); // never: no sum of two squares
    return 0;
}
