// A variable that only one side of a branch gives a value, and that is then asked for; what is told is where it decides.
// oracle: none
// paths: any
// findings: uninitialised value
#include <symcrete.h>

int main(void) {
    int x = symcrete_int("x");
    int flags[2], sum;
    if (x > 5)
        flags[0] = 1;
    sum = flags[0] + x;
    if (sum == 3) //~ uninitialised value
        return 1;
    return 0;
}
