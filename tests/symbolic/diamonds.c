// Eight branches in a row on the bits of one byte, then one on their sum: 256 paths, some with one end in common.
// paths: 256
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char bits;
    klee_make_symbolic(&bits, sizeof bits, "bits");
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        if (bits & 1 << i)
            sum += i + 1;
        else
            sum -= 1;
    }
    if (sum == 0)
        return 1;
    return sum > 20 ? 2 : 3;
}
