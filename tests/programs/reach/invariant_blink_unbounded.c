// A light that goes on and off for any number of events is never in a third state.
#include <symcrete.h>

enum light { OFF, ON, BROKEN };

static enum light next(enum light light) {
    switch (light) {
    case OFF:
        return ON;
    case ON:
        return OFF;
    default:
        return BROKEN;
    }
}

int main(void) {
    enum light light = OFF;
    while (symcrete_bool("event"))
        light = next(light);
    if (light == ON)
        return 2; //~ reached
    if (light == BROKEN)
        return 1; //~ unreachable
    return 0;
}
