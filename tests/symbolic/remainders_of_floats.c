// fmod and floor, which are computed exactly.
// paths: 4
// findings: none
// oracle: none
#include <math.h>
#include <symcrete.h>

int main(void) {
    double x = symcrete_double("x"), y = symcrete_double("y");
    if (fmod(x, y) == 0.375 && floor(x) == 17 && y > 1)
        return 1;
    return 0;
}
