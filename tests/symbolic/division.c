// A quotient that needs a divisor other than zero, and one that does not fit.
// paths: 4
// findings: division-by-zero, division-overflow
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char top, divisor;
    klee_make_symbolic(&top, sizeof top, "top");
    klee_make_symbolic(&divisor, sizeof divisor, "divisor");
    int dividend = (int)((unsigned)top << 24);
    int quotient = dividend / divisor; //~ division-by-zero, division-overflow
    if (quotient * divisor == dividend)
        return 1;
    return quotient < 0 ? 2 : 3;
}
