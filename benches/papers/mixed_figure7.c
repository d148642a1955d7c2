// mixed_figure7: figure 7 of the paper on mixed concrete-symbolic solving: DART finds target 3 with what an earlier
// solution left in y. `identityF` is opaque: it comes from a shared library made of mixed_figure7_identity.c. With
// -DBODY its body is part of this program, to be analysed with `--pure identityF`.
// Measure: targets, 4 of them. All can be reached.
#include "target.h"

#ifdef BODY
#include "mixed_figure7_identity.c"
#else
int identityF(int value);
#endif

static void test(bool b, int x, int y) {
    if (b) {
        if (y <= 0)
            TARGET(1);
        else
            TARGET(2);
    } else {
        if (x <= 0 && identityF(y) == 1)
            TARGET(3);
        else
            TARGET(4);
    }
}

int main(void) {
    bool b = symcrete_bool("b");
    int x = symcrete_int("x"), y = symcrete_int("y");
    test(b, x, y);
}
