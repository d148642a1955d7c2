// mixed_figure1: figure 1(a) of the paper on mixed concrete-symbolic solving; with -DLINE7 its line 6 is replaced by
// line 7. `hash` is opaque: it comes from a shared library made of mixed_figure1_hash.c. With -DBODY its body is part
// of this program, to be analysed with `--pure hash`.
// Measure: targets, 4 of them, the four paths after x > 0: S0 S3, S0 S4, S1 S3, S1 S4. Each is also an exit status of
// its own. All can be reached.
#include "target.h"

#ifdef BODY
#include "mixed_figure1_hash.c"
#else
int hash(int x);
#endif

static int test(int x, int y) {
    int path = 0;
    if (x > 0) {
        if (y == hash(x))
            path = 1; // S0
        else
            path = 3; // S1
#ifdef LINE7
        if (y > 10)
#else
        if (x > 3 && y > 10)
#endif
            path += 0; // S3
        else
            path += 1; // S4
    }
    return path;
}

int main(void) {
    // The paper's annotation: the domain of hash in two parts.
    symcrete_partition(hash, "arg1 > 3");
    symcrete_partition(hash, "arg1 <= 3");
    int x = symcrete_int("x"), y = symcrete_int("y");
    int path = test(x, y);
    switch (path) {
    case 1:
        TARGET(1);
        break;
    case 2:
        TARGET(2);
        break;
    case 3:
        TARGET(3);
        break;
    case 4:
        TARGET(4);
        break;
    }
    return path;
}
