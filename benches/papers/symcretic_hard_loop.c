// symcretic_hard_loop: figure 1 of the paper on symcretic execution: a loop that depends on an input, a remainder and a
// function of libm stand before the target. `elsewhere` stands for the two long computations that lead nowhere.
// Measure: targets, 1 of them. It can be reached, with x = 1024 and sin(u) > 0 (or with x = 1024 + k * 2^29, as `res` wraps).
#include <math.h>
#include <symcrete.h>

int elsewhere;

void challenges(int x, double u) {
    int res = 0, i = 0;
    while (i < x) {
        int tmp = i % 2;
        if (tmp == 0)
            res = res - 1;
        else
            res = res + 17;
        i++;
    }
    if (res == 8192) {
        if (sin(u) > 0)
            symcrete_target(); // target 1
        else
            elsewhere = 1;
    } else {
        elsewhere = 2;
    }
}
