// Euclid's algorithm on two numbers below 16; the number of rounds depends on both.
// paths: 13
// findings: none
// exhaustive: yes
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    unsigned a = x & 15, b = y & 15;
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    if (a == 5)
        return 5;
    assert(a != 13 || (x & 15) % 13 == 0);
    return 0;
}
