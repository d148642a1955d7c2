// Loops whose number of rounds is an input, one within the other.
// paths: 13
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char outer, inner;
    klee_make_symbolic(&outer, sizeof outer, "outer");
    klee_make_symbolic(&inner, sizeof inner, "inner");
    outer &= 3;
    inner &= 3;
    int rounds = 0;
    for (int i = 0; i < outer; i++)
        for (int j = 0; j <= inner; j++)
            rounds++;
    return rounds;
}
