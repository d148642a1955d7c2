// A ring of four places: what was put in less what was taken out is what is there.
#include <symcrete.h>

#define PLACES 4

struct ring { int head, count; };

static int put(struct ring *ring) {
    if (ring->count == PLACES)
        return 0;
    ring->count++;
    return 1;
}

static int take(struct ring *ring) {
    if (ring->count == 0)
        return 0;
    ring->head = (ring->head + 1) % PLACES;
    ring->count--;
    return 1;
}

int main(void) {
    struct ring ring = {0, 0};
    int in = 0, out = 0;
    int events = symcrete_range(0, 7, "events");
    for (int i = 0; i < events; i++) {
        if (symcrete_bool("put"))
            in += put(&ring);
        else
            out += take(&ring);
    }
    if (in - out != ring.count)
        return 1; //~ unreachable
    if (ring.head == 3 && ring.count == 1)
        return 2; //~ reached
    return 0;
}
