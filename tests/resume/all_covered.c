// All code is covered by a few of its 2^32 paths. The sides of the branch write to memory, so that paths are not joined there.
void klee_make_symbolic(void *address, unsigned long bytes, const char *name);

static unsigned large[32], small[32];

int main(void) {
    unsigned char bits[32];
    unsigned n = 0, m = 0;
    klee_make_symbolic(bits, sizeof bits, "bits");
    for (unsigned at = 0; at < sizeof bits; at++) {
        if (bits[at] > 100) {
            large[n++] = at;
        } else {
            small[m++] = at;
        }
    }
    return n > m ? 1 : 0;
}
