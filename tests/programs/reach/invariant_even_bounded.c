// A counter that grows by two in a loop with a small bound stays even.
#include <symcrete.h>

int main(void) {
    int rounds = symcrete_range(0, 40, "rounds");
    int counter = 0, steps = 0;
    for (int i = 0; i < rounds; i++) {
        counter += 2;
        if (counter > 30)
            counter -= 30;
        steps++;
    }
    if (counter % 2 == 1)
        return 1; //~ unreachable
    if (steps == 33 && counter == 6)
        return 2; //~ reached
    if (counter > 30)
        return 3; //~ unreachable
    return 0;
}
