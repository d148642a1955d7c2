// A pure function that divides by zero for one argument: the path that tries it shows where.
// flags: --pure ratio
// paths: at least 2
// findings: division-by-zero
// oracle: none
void klee_make_symbolic(void *, unsigned long, const char *);

static int ratio(int divisor) {
    return 1000 / (divisor - 5); //~ division-by-zero
}

int main(void) {
    unsigned char divisor;
    klee_make_symbolic(&divisor, sizeof divisor, "divisor");
    if (ratio(divisor & 7) > 100)
        return 1;
    return 0;
}
