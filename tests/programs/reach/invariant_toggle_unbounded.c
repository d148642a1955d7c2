// A lamp that an endless series of inputs switches stays in one of its two states, and its level within three steps.
#include <symcrete.h>

struct lamp { int on, level; };

static void press(struct lamp *lamp, int button) {
    if (button == 0) {
        lamp->on = !lamp->on;
        lamp->level = lamp->on ? 1 : 0;
    } else if (lamp->on) {
        lamp->level = lamp->level == 3 ? 1 : lamp->level + 1;
    }
}

int main(void) {
    struct lamp lamp = {0, 0};
    for (;;) {
        int button = symcrete_int("button");
        if (button < 0)
            return 0;
        press(&lamp, button);
        if (lamp.level > 3)
            return 1; //~ unreachable
        if (lamp.on && lamp.level == 3)
            return 2; //~ reached
    }
}
