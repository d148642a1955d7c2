// Choices between simple values do not fork; the suite has a test for each side of them all the same.
// paths: 1
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int low = x < -100 ? 3 : 4;
    int high = x > 101 ? 8 : 16;
    return low + high + (x == 42 ? 32 : 64);
}
