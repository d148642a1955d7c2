// A function that several others call, one of which nobody calls.
#include <symcrete.h>

static int check(int value, int limit) {
    if (value > limit + 3)
        return 1; //~ reached
    if (limit > 100)
        return 2; //~ reached
    if (limit < 0)
        return 3; //~ unreachable
    return 0;
}

int never(int value) {
    return check(value, -1);
}

int forgotten(int value) {
    return never(value) + check(value, -7);
}

static int first(int value) {
    return check(value, 10);
}

static int second(int value) {
    return check(value & 15, 20) + check(7, 101);
}

int main(void) {
    int value = symcrete_int("value");
    if (value < 0)
        return second(value);
    return first(value);
}
