// Deadlines of a counter of milliseconds that starts again at zero after 49 days.
#include <stdint.h>
#include <symcrete.h>

struct timer { uint32_t started, delay; };

static int expired_wrongly(const struct timer *timer, uint32_t now) {
    return now >= timer->started + timer->delay;
}

static int expired(const struct timer *timer, uint32_t now) {
    return now - timer->started >= timer->delay;
}

int main(void) {
    struct timer timer = {symcrete_uint("started"), symcrete_uint("delay")};
    uint32_t passed = symcrete_uint("passed");
    symcrete_assume(timer.delay > 0 && timer.delay < 60000 && passed < 60000);
    uint32_t now = timer.started + passed;
    if (expired_wrongly(&timer, now) && !expired(&timer, now))
        return 1; //~ reached
    if (expired(&timer, now) != (passed >= timer.delay))
        return 2; //~ unreachable
    return 0;
}
