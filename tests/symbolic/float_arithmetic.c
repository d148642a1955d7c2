// Small numbers as floats and doubles: rounding, division by zero, comparison with NaN.
// paths: 7
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    double quotient = (double)x / y;
    if (quotient != quotient)
        return 1; // 0 / 0
    if (quotient > 1000.0)
        return 2; // infinite
    if (quotient * 8 == (double)(int)(quotient * 8) && quotient != (double)(int)quotient)
        return 3;
    float third = x / 3.0f;
    if (third + third + third != x)
        return 4; // never for numbers this small
    if ((float)(16777216.0f + y) - 16777216.0f != y)
        return 5; // odd numbers are lost above 2 to the 24th
    return 0;
}
