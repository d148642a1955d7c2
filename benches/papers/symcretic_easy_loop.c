// symcretic_easy_loop: a loop that counts its input down to 0, and a target behind a fixed number of rounds, as the paper on
// symcretic execution describes it without giving the source. COUNT is that number; -DCOUNT=1000000 makes a long loop of it.
// Measure: targets, 1 of them. It can be reached, with x = COUNT alone.
#include <symcrete.h>

#ifndef COUNT
#define COUNT 500
#endif

void easy_loop(int x) {
    int count = 0;
    while (x > 0) {
        x = x - 1;
        count = count + 1;
    }
    if (count == COUNT) {
        symcrete_target(); // target 1
    }
}
