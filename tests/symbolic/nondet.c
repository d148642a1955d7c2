// Inputs as competitions of verifiers write them, and an error that is reached.
// domain: nondet_int int = -2147483648 -101 -100 -99 -1 0 1 49 50 51 99 100 101 2147483647
// domain: nondet_uint uint = 0 1 2 3 255 256 4294967295
// paths: 5
// findings: assertion-failed
#include <assert.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

static void reach_error(void) { assert(0); } //~ assertion-failed

int main(void) {
    int x = __VERIFIER_nondet_int();
    unsigned y = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x >= -100);
    __VERIFIER_assume(x <= 100);
    if (x > 50) {
        if (y == 256)
            reach_error();
        return 1;
    }
    if (x * 2 == -200 && (y & 3) == 3)
        return 2;
    return 0;
}
