// Recursion as deep as an input says, with two calls in each round.
// paths: 56
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static unsigned fibonacci(unsigned n) { return n < 2 ? n + 0 : fibonacci(n - 1) + fibonacci(n - 2); }

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    unsigned number = fibonacci(x & 7);
    if (is_even(y & 7) && number == 8)
        return 100;
    return (int)number;
}
