// Forty independent branches: as many states as anybody wants, made as fast as they can be.
void klee_make_symbolic(void *address, unsigned long bytes, const char *name);

int main(void) {
    unsigned char bits[40];
    unsigned sum = 0;
    klee_make_symbolic(bits, sizeof bits, "bits");
    for (unsigned at = 0; at < sizeof bits; at++) {
        if (bits[at] > 100) {
            sum = sum * 3 + at;
        }
    }
    return sum % 251 == 7;
}
