// Two counters that a loop without a bound moves together, so that their difference stays the same.
#include <symcrete.h>

struct window { unsigned first, last; };

static void slide(struct window *window) {
    window->first++;
    window->last++;
}

int main(void) {
    unsigned steps = symcrete_uint("steps");
    struct window window = {0, 7};
    while (steps--)
        slide(&window);
    if (window.last - window.first != 7)
        return 1; //~ unreachable
    return 0;
}
