// The determinant of a matrix of small numbers, and when it is 6.
// paths: 6
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int a = x & 15, b = x >> 4, c = y & 15, d = y >> 4;
    int determinant = a * d - b * c;
    if (determinant == 0) {
        if (a + b + c + d == 0)
            return 1;
        return 2;
    }
    if (determinant == 6 && a + d == 15)
        return 3;
    if (determinant == 225)
        return b * c == 0 ? 4 : 99;
    return determinant < 0 ? 5 : 6;
}
