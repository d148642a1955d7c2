// Handlers registered at run time and called through pointers; the order of events decides which one is there.
#include <stddef.h>
#include <symcrete.h>

typedef int (*handler)(int);

static int locked = 1;

static int ignore(int value) {
    return value & 1;
}

static int unlock(int value) {
    if (value * 7 == 8638)
        locked = 0;
    return 2;
}

static int open_door(int value) {
    if (!locked && value < 0)
        return 3; //~ reached
    return 4;
}

static int never_set(int value) {
    return value + 5; //~ unreachable
}

static handler handlers[3] = {ignore, ignore, NULL};

static void arm(unsigned slot, unsigned kind) {
    static const handler kinds[] = {ignore, unlock, open_door, never_set};
    if (slot < 2 && kind < 3)
        handlers[slot] = kinds[kind];
}

int main(void) {
    for (int event = 0; event < 2; event++) {
        unsigned slot = symcrete_uint("slot");
        arm(slot, symcrete_uint("kind"));
    }
    for (int event = 0; event < 2; event++) {
        handler called = handlers[event];
        if (called)
            called(symcrete_int("value"));
    }
    return 0;
}
