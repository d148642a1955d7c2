// A recursive function that counts steps of the rule n / 2 or 3 n + 1, with a bound on its depth.
#include <symcrete.h>

static int steps(unsigned n, int depth) {
    if (n == 1)
        return depth;
    if (depth == 12)
        return -1;
    return steps(n % 2 ? 3 * n + 1 : n / 2, depth + 1);
}

int main(void) {
    unsigned n = symcrete_uint("n");
    symcrete_assume(n > 400 && n < 1000);
    int count = steps(n, 0);
    if (count == 12)
        return 1; //~ reached
    if (count == 11)
        return 2; //~ unreachable
    return 0;
}
