// The program of figure 1 of Dinges and Agha's paper on symcretic execution: a loop, a remainder and a library call stand before line 15.
#include <assert.h>
#include <math.h>
void challenges(int x, double u) {
    int res = 0;
    int i = 0;
    while (i < x) {
        int tmp = i % 2;
        if (tmp == 0) res = res - 1;
        else res = res + 17;
        i++;
    }
    if (res == 8192) { // error condition 1
        if (sin(u) > 0) { // error condition 2
            assert(0);
        }
    }
}
