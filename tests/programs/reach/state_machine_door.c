// A door with a keypad: a switch over its state in a loop over the events.
#include <symcrete.h>

enum state { CLOSED, FIRST, SECOND, OPEN, ALARM };

int main(void) {
    enum state state = CLOSED;
    int failures = 0;
    for (int i = 0; i < 6; i++) {
        unsigned key = symcrete_choice(10, "key");
        switch (state) {
        case CLOSED:
            state = key == 4 ? FIRST : CLOSED;
            break;
        case FIRST:
            state = key == 7 ? SECOND : CLOSED;
            failures += key != 7;
            break;
        case SECOND:
            state = key == 1 ? OPEN : CLOSED;
            failures += key != 1;
            break;
        case OPEN:
            if (key == 0)
                state = CLOSED;
            break;
        case ALARM:
            return 2;
        }
        if (failures == 3)
            state = ALARM;
        if (state == OPEN && failures == 1 && i == 5)
            return 1; //~ reached
    }
    if (failures == 4)
        return 3; //~ unreachable
    return 0;
}
