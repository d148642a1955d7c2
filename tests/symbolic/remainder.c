// Remainders of negative numbers, and a divisor that is zero in one case only.
// paths: 7
// findings: division-by-zero
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int answer = 0;
    if (x % 7 == -3)
        answer = 1;
    if (x % 7 == 4 && x < 0)
        answer = 2; // never: a remainder has the sign of the dividend
    unsigned difference = (unsigned)(x * 3 - y);
    if (y == 21)
        return (int)(1000u % difference) & 7; //~ division-by-zero
    return answer;
}
