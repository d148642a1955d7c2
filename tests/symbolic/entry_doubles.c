// Doubles as parameters: the roots of a quadratic equation, with powers of two so that nothing is rounded.
// flags: --entry roots
// domain: a double = 0 -0.0 1 -1 2 0.5 inf nan
// domain: b double = 0 1 -2 3 4 1e200 inf nan
// domain: c double = 0 1 -1 2 4 -1e300 inf nan
// paths: 5
// findings: none
int roots(double a, double b, double c) {
    if (a == 0)
        return b == 0 ? 10 : 11;
    double discriminant = b * b - 4 * a * c;
    if (discriminant > 0)
        return 2;
    if (discriminant == 0)
        return 1;
    if (discriminant < 0)
        return 0;
    return 12; // not a number
}

#ifdef COUNT_PATHS
void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    double a, b, c;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    return roots(a, b, c);
}
#endif
