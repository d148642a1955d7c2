// Two running sums modulo a prime over a message, joined into one number.
#include <stdint.h>
#include <symcrete.h>

static uint32_t adler(const uint8_t *bytes, unsigned count) {
    uint32_t a = 1, b = 0;
    for (unsigned i = 0; i < count; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

int main(void) {
    uint8_t message[6];
    symcrete_make_symbolic(message, sizeof message, "message");
    uint32_t sum = adler(message, sizeof message);
    if (sum == 0x08d10287)
        return 1; //~ reached
    if ((sum & 0xffff) > 1531)
        return 2; //~ unreachable
    return 0;
}
