// A volume kept between bounds by a function that a mixer calls after every change.
#include <symcrete.h>

struct mixer { int volume[2]; int balance; };

static void limit(int *value, int low, int high) {
    if (*value < low)
        *value = low;
    if (*value > high)
        *value = high;
}

static void change(struct mixer *mixer, int channel, int by) {
    mixer->volume[channel] += by;
    limit(&mixer->volume[channel], 0, 63);
    mixer->balance = mixer->volume[0] - mixer->volume[1];
}

int main(void) {
    struct mixer mixer = {{32, 32}, 0};
    for (int i = 0; i < 3; i++) {
        unsigned channel = symcrete_choice(2, "channel");
        change(&mixer, (int)channel, symcrete_int("by"));
    }
    if (mixer.balance < -63 || mixer.balance > 63)
        return 1; //~ unreachable
    if (mixer.balance == -63)
        return 2; //~ reached
    return 0;
}
