// Handlers that are called one after the other; the first one changes what the second one looks at, and no pointer leads there.
#include <symcrete.h>

typedef int (*handler)(int);

static int locked = 1;

static int unlock(int value) {
    if (value * 7 == 8638)
        locked = 0;
    return 2;
}

static int open_door(int value) {
    if (!locked && value < 0)
        return 3; //~ reached
    if (locked == 2)
        return 4; //~ unreachable
    return 5;
}

static handler chosen[2] = {unlock, open_door};

int main(void) {
    for (int i = 0; i < 2; i++)
        chosen[i](symcrete_int("value"));
    return 0;
}
