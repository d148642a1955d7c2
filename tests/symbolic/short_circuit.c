// And, or and not: the right side is evaluated only where the left one leaves it open.
// paths: 9
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int calls;

static int is_even(unsigned char value) {
    calls++;
    return (value & 1) == 0;
}

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int both = x > 10 && y > 10;
    int either = x == 3 || is_even(y);
    if ((both && !either) || (x == y && is_even(x)))
        return 10 + calls;
    return calls;
}
