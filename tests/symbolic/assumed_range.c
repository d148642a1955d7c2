// Assumptions over two inputs, and klee_range.
// paths: 3
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);
void klee_assume(unsigned long);
int klee_range(int, int, const char *);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int y = klee_range(-5, 10, "y");
    klee_assume((x >= 10) & (x + y < 12));
    if (y > 1)
        return 99; // x is at least 10
    if (x == 16)
        return y == -5 ? 1 : 99;
    if (y == 1)
        return x == 10 ? 2 : 99;
    if (x > 16)
        return 99;
    return 0;
}
