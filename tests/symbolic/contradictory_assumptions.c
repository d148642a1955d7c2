// Assumes what cannot be: there is no path.
// paths: 0
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);
void klee_assume(unsigned long);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 10);
    klee_assume(x * 2 < 20);
    return x == 5 ? 1 : 0;
}
