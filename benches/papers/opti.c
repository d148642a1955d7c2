// opti: six classic test functions of optimisation (More, Garbow, Hillstrom 1981), which the evaluation of the FloPSy
// solver turned into equations; section 5 of the Concolic Walk paper. An `=` of the formula is `==` on doubles, with no
// tolerance.
// Measure: targets, 6 of them. All can be reached: beale by (1.5, 0), freudenstein_roth by (21, 0), helical_valley by
// (1, 0, 0), powell by (1.0981593296998993e-05, 9.106146739865844), which a search around the real root found,
// rosenbrock by (1, 1), wood by (1, 1, 1, 1).
#include "target.h"
#include <math.h>

static void beale(double x1, double x2) {
    if (1.5 - x1 * (1 - x2) == 0)
        TARGET(1);
}

static void freudenstein_roth(double x1, double x2) {
    if (-13 + x1 + ((5 - x2) * x2 - 2) * x2 + (-29 + x1 + ((x2 + 1) * x2 - 14) * x2) == 0)
        TARGET(2);
}

static void helical_valley(double x1, double x2, double x3) {
    double theta = 0;
    if (x1 > 0)
        theta = atan(x2 / x1) / (2 * M_PI);
    else if (x1 < 0)
        theta = atan(x2 / x1) / (2 * M_PI) + 0.5;
    if (10 * (x3 - 10 * theta) == 0 && 10 * (sqrt(x1 * x1 + x2 * x2) - 1) == 0 && x3 == 0)
        TARGET(3);
}

static void powell(double x1, double x2) {
    if (pow(10, 4) * x1 * x2 - 1 == 0 && pow(M_E, -x1) + pow(M_E, -x2) - 1.0001 == 0)
        TARGET(4);
}

static void rosenbrock(double x1, double x2) {
    if (pow(1 - x1, 2) + 100 * pow(x2 - x1 * x1, 2) == 0)
        TARGET(5);
}

static void wood(double x1, double x2, double x3, double x4) {
    if (10 * (x2 - x1 * x1) == 0 && 1 - x1 == 0 && sqrt(90) * (x4 - x3 * x3) == 0 && 1 - x3 == 0 &&
        sqrt(10) * (x2 + x4 - 2) == 0 && pow(10, -0.5) * (x2 - x4) == 0)
        TARGET(6);
}

int main(void) {
    double x1 = symcrete_double("x1"), x2 = symcrete_double("x2");
    double x3 = symcrete_double("x3"), x4 = symcrete_double("x4");
    switch (symcrete_choice(6, "function")) {
    case 0: beale(x1, x2); break;
    case 1: freudenstein_roth(x1, x2); break;
    case 2: helical_valley(x1, x2, x3); break;
    case 3: powell(x1, x2); break;
    case 4: rosenbrock(x1, x2); break;
    case 5: wood(x1, x2, x3, x4); break;
    }
}
