// symcretic_trityp: the classic program that tells what kind of triangle three sides make, with its ten `if`, for the paper
// on symcretic execution, which does not give the source.
// Measure: targets, 3 of them: 1 scalene, 2 isosceles by the last pair of sides, 3 equilateral. All can be reached.
#include <symcrete.h>

enum kind {
    SCALENE = 1,
    ISOSCELES = 2,
    EQUILATERAL = 3,
    NO_TRIANGLE = 4
};

int trityp(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return NO_TRIANGLE;

    // Which sides are equal: 1 for a and b, 2 for a and c, 3 for b and c, 6 for all.
    int equal = 0;
    if (a == b) {
        equal = equal + 1;
    }
    if (a == c) {
        equal = equal + 2;
    }
    if (b == c) {
        equal = equal + 3;
    }

    int kind = NO_TRIANGLE;
    if (equal == 0) {
        if (a + b <= c || b + c <= a || a + c <= b) {
            kind = NO_TRIANGLE;
        } else {
            symcrete_target(); // target 1
            kind = SCALENE;
        }
    } else if (equal > 3) {
        symcrete_target(); // target 3
        kind = EQUILATERAL;
    } else if (equal == 1 && a + b > c) {
        kind = ISOSCELES;
    } else if (equal == 2 && a + c > b) {
        kind = ISOSCELES;
    } else if (equal == 3 && b + c > a) {
        symcrete_target(); // target 2
        kind = ISOSCELES;
    }
    return kind;
}
