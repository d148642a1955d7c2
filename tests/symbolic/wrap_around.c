// Sums and products that leave their width.
// paths: 7
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    unsigned char sum = x + y, product = x * y;
    if (sum < x)
        return sum == 0 ? 1 : 2;
    unsigned wide = 0xffffff00u + x;
    if (wide + 1 < wide)
        return 3;
    if (product == 1 && x > 1)
        return 4; // an inverse modulo 256, without a sum that wraps: 171 * 3, and others
    short both = (short)(x * 300);
    if (both < 0 && y == 7)
        return 5;
    return 0;
}
