// Loops that begin again in several ways: what contradicts itself on one of them says nothing of the others.
#include <symcrete.h>

int main(void) {
    int set = 0, never = 0;
    while (1) {
        int kind = symcrete_int("kind");
        if (kind == 0)
            break;
        if (kind == 12345678) {
            set = 1;
            continue;
        }
        if (kind == 5 && kind * 2 == 12)
            continue;
        if (kind == 6 && kind * 2 == 10) {
            never = 1;
            continue;
        }
    }
    if (set)
        return 1; //~ reached
    if (never)
        return 2; //~ unreachable
    return 0;
}
