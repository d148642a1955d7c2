// The same check with a branch for every bit: each input of one byte has a path of its own.
// paths: 256
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char message;
    klee_make_symbolic(&message, sizeof message, "message");
    unsigned char crc = message;
    for (int bit = 0; bit < 8; bit++) {
        if (crc & 0x80)
            crc = (unsigned char)((crc << 1) ^ 0x07);
        else
            crc <<= 1;
    }
    return crc;
}
