// CRC-32 of four bytes, bit by bit with a branch for each bit: paths are joined where there would be 2 to the power of 32.
// paths: 4097
// findings: assertion-failed
// oracle: none
#include <symcrete.h>

static unsigned crc32(const unsigned char *bytes, int count) {
    unsigned crc = 0xffffffffu;
    for (int i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            if (crc & 1)
                crc = crc >> 1 ^ 0xedb88320u;
            else
                crc >>= 1;
        }
    }
    return ~crc;
}

int main(void) {
    unsigned char message[4];
    symcrete_make_symbolic(message, sizeof message, "message");
    symcrete_assert(crc32(message, 4) != 0xdeadbeef); //~ assertion-failed
    return 0;
}
