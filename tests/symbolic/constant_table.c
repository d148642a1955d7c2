// A read from a constant table at an index that is an input.
// paths: 4
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static const unsigned char squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    unsigned sum = squares[x & 15] + squares[y & 15];
    if (sum == 169 && (x & 15) > 0 && (y & 15) > 0)
        return 1; // 25 + 144
    if (sum == 3)
        return 2; // no sum of two squares
    if (squares[x >> 4] > x)
        return 3; // never: n * n is at most 16 * n
    return 0;
}
