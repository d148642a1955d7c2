// The sides of a right-angled triangle, from the square root of a sum of squares.
#include <math.h>
#include <symcrete.h>

static int right_angled(double a, double b, double c) {
    return fabs(sqrt(a * a + b * b) - c) < 1e-9;
}

int main(void) {
    double a = symcrete_double("a"), b = symcrete_double("b"), c = symcrete_double("c");
    if (!(a > 0 && b > a && c > b && c < 100))
        return 0;
    if (a != 20 || b != 21)
        return 1;
    if (right_angled(a, b, c))
        return 2; //~ reached
    if (c <= 21)
        return 3; //~ unreachable
    return 4;
}
