// A place on a track that starts again at zero when it comes to ten never passes ten, in any number of rounds.
#include <symcrete.h>

struct track { int place; unsigned laps; };

static void step(struct track *track) {
    track->place++;
    if (track->place == 10) {
        track->place = 0;
        track->laps++;
    }
}

int main(void) {
    unsigned rounds = symcrete_uint("rounds");
    struct track track = {0, 0};
    for (unsigned i = 0; i < rounds; i++)
        step(&track);
    if (track.place > 10)
        return 1; //~ unreachable
    if (track.laps == 3 && track.place == 5)
        return 2; //~ reached
    return 0;
}
