// Loops of up to millions of rounds that count in steps: what they leave is known without going round.
// flags: --entry ticks
#include <symcrete.h>

int ticks(int count, unsigned limit) {
    int done = 0;
    unsigned price = 5;
    for (int i = 0; i < count; i++) {
        done += 3;
        price += 6;
    }
    if (done == 1500000)
        return 1; //~ reached
    if (price % 6 == 4)
        return 2; //~ unreachable
    unsigned down = limit, steps = 0;
    while (down > 7) {
        down -= 2;
        steps++;
    }
    if (steps == 700000 && down == 7)
        return 3; //~ reached
    if (steps > 0 && down == 5)
        return 4; //~ unreachable
    return 0;
}
