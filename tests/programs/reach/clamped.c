// A value that a function keeps within bounds, and a loop that inputs go round.
#include <symcrete.h>

static int clamp(int value) {
    return value < 0 ? 0 : value > 100 ? 100 : value;
}

int main(void) {
    int x = symcrete_int("x");
    int y = clamp(x);
    if (y > 50) {
        if (x == 77)
            return 1; //~ reached
    }
    if (y > 100)
        return 2; //~ unreachable
    for (int i = 0; i < x; i++)
        if (i == 12345)
            return 3; //~ reached
    return 0;
}
