// Gives up one side of a branch by assuming 0.
// paths: 2
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);
void klee_assume(unsigned long);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (x & 1)
        klee_assume(0);
    if (x == 7)
        return 1; // odd
    if (x == 8)
        return 2;
    return 0;
}
