// Promises that a value does not occur, and it does.
// paths: 5
// findings: unreachable
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    switch (x & 3) {
    case 0:
        return 1;
    case 1:
    case 2:
        return 2;
    }
    if (x == 7)
        return 3;
    if (x > 250)
        __builtin_unreachable(); //~ unreachable
    return 0;
}
