// Eighteen independent branches: 262,144 paths, nearly all of them pending at a time when the search goes by breadth.
void klee_make_symbolic(void *address, unsigned long bytes, const char *name);

int main(void) {
    unsigned char bits[18];
    unsigned sum = 0;
    klee_make_symbolic(bits, sizeof bits, "bits");
    for (unsigned at = 0; at < sizeof bits; at++) {
        if (bits[at] > 100) {
            sum = sum * 3 + at;
        }
    }
    return sum % 251 == 7;
}
