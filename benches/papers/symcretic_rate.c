// symcretic_rate: the loop of symcretic_hard_loop.c, gone round a thousand times by every run, before a target that no input comes to and
// no solver refutes: the concrete phase of the search spends all of its runs on it.
// Measure: runs a second of the concrete phase.
#include <math.h>
#include <symcrete.h>

void rate(int x, double u) {
    int res = 0, i = 0;
    while (i < 1000 + (x & 1)) {
        int tmp = i % 2;
        if (tmp == 0)
            res = res - 1;
        else
            res = res + 17;
        i++;
    }
    if (res == 8000) {
        if (sin(u) * sin(u) + cos(u) * cos(u) > 1.5)
            symcrete_target(); // target 1
    }
}
