// A cyclic redundancy check of two bytes, bit by bit without branches, against a fixed value.
// paths: 3
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static unsigned char crc8(const unsigned char *bytes, int count) {
    unsigned char crc = 0xff;
    for (int i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (unsigned char)((crc << 1) ^ (-(crc >> 7) & 0x31));
    }
    return crc;
}

int main(void) {
    unsigned char message[2];
    klee_make_symbolic(message, sizeof message, "message");
    unsigned char crc = crc8(message, 2);
    if (crc == 0x5a)
        return message[0] == 0x10 ? 1 : 2;
    if (crc == message[1])
        return 3;
    return 0;
}
