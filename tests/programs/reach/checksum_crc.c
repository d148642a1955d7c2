// A cyclic redundancy check of a short message, bit by bit.
#include <stdint.h>
#include <symcrete.h>

static uint16_t crc(const uint8_t *bytes, unsigned count) {
    uint16_t value = 0xffff;
    for (unsigned i = 0; i < count; i++) {
        value ^= (uint16_t)(bytes[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            value = (uint16_t)(value & 0x8000 ? value << 1 ^ 0x1021 : value << 1);
    }
    return value;
}

int main(void) {
    uint8_t message[4];
    symcrete_make_symbolic(message, sizeof message, "message");
    if (message[0] != 'O' || message[1] != 'K')
        return 0;
    if (crc(message, 4) == 0xabcd)
        return 1; //~ reached
    return 2;
}
