// power: conditions on the exponential function, like the example of that name in the distribution of Symbolic
// PathFinder, which table 1 of the Concolic Walk paper describes by "exponential function". One half compares an int
// with a power of another, the other follows the amount of a drug that decays exponentially.
// Measure: branches, 24 (12 conditions, two ways each). All can be reached.
#include "target.h"
#include <math.h>

static int squares(int x, int y) {
    if (x <= 0)
        return 0;
    if (y == pow(x, 2.0)) {
        if (x > 1 && y < 3000)
            return 1;
        return 2;
    }
    return y > 8 ? 3 : 4;
}

static int decay(double dose, double rate, double hours) {
    if (!(dose > 0 && rate > 0 && hours >= 0))
        return 0;
    double left = dose * exp(-rate * hours);
    if (left < 0.05 * dose)
        return 1;
    if (left == exp(rate))
        return 2;
    return pow(left, rate) > exp(hours) && pow(2, hours) > 100 ? 3 : 4;
}

int main(void) {
    int x = symcrete_int("x"), y = symcrete_int("y");
    double dose = symcrete_double("dose"), rate = symcrete_double("rate"), hours = symcrete_double("hours");
    return squares(x, y) + 5 * decay(dose, rate, hours);
}
