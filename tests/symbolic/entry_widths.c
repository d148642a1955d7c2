// Parameters of every integer width.
// flags: --entry widths
// domain: a char = -128 0 1 127
// domain: b ushort = 0 65535 1000
// domain: c int = -2147483648 -1 0 65535
// domain: d ulong = 0 1 4294967296 18446744073709551615
// paths: 5
// findings: none
int widths(signed char a, unsigned short b, int c, unsigned long d) {
    if (a == -128)
        return d == 4294967296 ? 1 : 2;
    if (b == c)
        return d + 1 == 0 ? 3 : 4;
    if (c < 0 && (unsigned)c > d)
        return 5;
    return a < b ? 6 : 7;
}

#ifdef COUNT_PATHS
void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    signed char a;
    unsigned short b;
    int c;
    unsigned long d;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    klee_make_symbolic(&c, sizeof c, "c");
    klee_make_symbolic(&d, sizeof d, "d");
    return widths(a, b, c, d);
}
#endif
