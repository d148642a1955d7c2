// A counter that grows by two in a loop over any number of rounds stays even, also when it wraps around.
#include <symcrete.h>

struct pump { unsigned strokes, litres; };

static void stroke(struct pump *pump) {
    pump->strokes++;
    pump->litres += 2;
}

int main(void) {
    unsigned rounds = symcrete_uint("rounds");
    struct pump pump = {0, 0};
    for (unsigned i = 0; i < rounds; i++)
        stroke(&pump);
    if (pump.strokes == 5)
        return 2; //~ reached
    if (pump.litres % 2 == 1)
        return 1; //~ unreachable
    return 0;
}
