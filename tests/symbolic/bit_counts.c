// Counts bits by a loop that clears them: as many paths as there can be bits, and one for none.
// paths: 17
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned short bits;
    klee_make_symbolic(&bits, sizeof bits, "bits");
    unsigned rest = bits;
    int count = 0;
    while (rest != 0) {
        rest &= rest - 1;
        count++;
    }
    if (__builtin_popcount(bits) != count)
        return 99; // never
    return count;
}
