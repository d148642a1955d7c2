// Conditional expressions with work on both sides, within each other and as conditions.
// paths: 6
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int larger = x > y ? x + 0 : y + 0;
    int sign = x < 0 ? y < 0 ? larger * 2 : larger - 1 : larger + 1;
    return ((x ^ y) < 0 ? sign > larger : sign < larger) ? 1 : 2;
}
