// Two equations in 32 bits: their determinant is odd, so that there is one solution; the first alone has many.
// domain: x int = 123456 123458 -3 0 1 2147483647 -2147483648
// domain: y int = -654321 -654324 7 0 1 2147483647 -2147483648
// paths: 3
// findings: assertion-failed
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    int x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    if (3u * (unsigned)x + 2u * (unsigned)y != 3u * 123456u - 2u * 654321u)
        return 1;
    if (5u * (unsigned)x - 7u * (unsigned)y == 5u * 123456u + 7u * 654321u)
        assert(y != -654321); //~ assertion-failed
    return 0;
}
