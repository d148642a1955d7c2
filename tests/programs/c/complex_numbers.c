// Complex numbers: arithmetic, functions, passing by value, a polynomial's roots.
#include <complex.h>
#include <stdio.h>

static void show(double complex value) { printf("%.12g %.12g\n", creal(value), cimag(value)); }

static double complex horner(const double complex *coefficients, int degree, double complex at) {
    double complex result = coefficients[degree];
    while (degree--)
        result = result * at + coefficients[degree];
    return result;
}

/* All roots at once, by Durand and Kerner. */
static void roots(const double complex *coefficients, int degree) {
    double complex guesses[8];
    guesses[0] = 1;
    for (int index = 1; index < degree; index++)
        guesses[index] = guesses[index - 1] * (0.4 + 0.9 * I);
    for (int round = 0; round < 40; round++)
        for (int index = 0; index < degree; index++) {
            double complex bottom = 1;
            for (int other = 0; other < degree; other++)
                if (other != index)
                    bottom *= guesses[index] - guesses[other];
            guesses[index] -= horner(coefficients, degree, guesses[index]) / bottom;
        }
    for (int index = 0; index < degree; index++)
        printf("%.9f %.9f\n", creal(guesses[index]) + 0.0, cimag(guesses[index]) + 0.0);
}

static float complex rotate(float complex value, float complex by) { return value * by; }
static long double complex precise(long double complex value) { return value / (3 + 4 * I); }

int main(void) {
    double complex a = 3 + 4 * I, b = -1.5 + 0.25 * I;
    show(a + b), show(a - b), show(a * b), show(a / b), show(-a), show(~a), show(conj(b)), show(a * 2), show(a + I);
    printf("%g %.12g %d %d\n", cabs(a), carg(b), a == b, a != b);
    show(csqrt(-4)), show(cexp(I * 1.5)), show(clog(a)), show(cpow(a, 2)), show(csin(b)), show(cproj(a));
    float complex single = 1 + 2 * I;
    for (int step = 0; step < 5; step++)
        single = rotate(single, 0.6f + 0.8f * I);
    printf("%.6g %.6g\n", crealf(single), cimagf(single));
    long double complex wide = precise(1 + I);
    printf("%.15Lg %.15Lg\n", creall(wide), cimagl(wide));
    double complex table[3] = {1, I, 1 + I}, sum = 0;
    for (int index = 0; index < 3; index++)
        sum += table[index] * table[index];
    show(sum);
    __real__ sum = 5;
    __imag__ sum -= 1;
    show(sum);
    const double complex polynomial[] = {-6, 11, -6, 1};
    roots(polynomial, 3);
    return 0;
}
