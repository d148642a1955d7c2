// A point on a circle never leaves the square around it.
#include <math.h>
#include <symcrete.h>

static double height(double radius, double angle) {
    return radius * sin(angle);
}

int main(void) {
    double angle = symcrete_double("angle");
    if (!(angle > -10 && angle < 10))
        return 0;
    double y = height(4, angle);
    if (y > 4)
        return 1; //~ unreachable
    if (y > 3.99 && angle < 0)
        return 2; //~ reached
    if (isnan(y))
        return 3; //~ unreachable
    return 4;
}
