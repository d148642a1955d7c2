// What is neither less nor greater nor equal.
// paths: 5
// findings: none
// oracle: none
#include <symcrete.h>

int main(void) {
    double x = symcrete_double("x"), y = symcrete_double("y");
    if (x != x && !(y < 3) && !(y >= 3))
        return 1;
    if (x < y)
        return 2;
    return 0;
}
