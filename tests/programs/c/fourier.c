// A fast Fourier transform, convolution by it, and a numerical integrator and root finder.
#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>

typedef struct { double real, imaginary; } number;

static void transform(number *values, int count, int inverse) {
    for (int index = 1, reversed = 0; index < count; index++) {
        int bit = count >> 1;
        for (; reversed & bit; bit >>= 1)
            reversed ^= bit;
        reversed ^= bit;
        if (index < reversed) {
            number kept = values[index];
            values[index] = values[reversed];
            values[reversed] = kept;
        }
    }
    for (int length = 2; length <= count; length *= 2) {
        double angle = 2 * M_PI / length * (inverse ? -1 : 1);
        number root = {cos(angle), sin(angle)};
        for (int start = 0; start < count; start += length) {
            number factor = {1, 0};
            for (int index = start; index < start + length / 2; index++) {
                number even = values[index], odd = values[index + length / 2];
                number turned = {odd.real * factor.real - odd.imaginary * factor.imaginary, odd.real * factor.imaginary + odd.imaginary * factor.real};
                values[index] = (number){even.real + turned.real, even.imaginary + turned.imaginary};
                values[index + length / 2] = (number){even.real - turned.real, even.imaginary - turned.imaginary};
                factor = (number){factor.real * root.real - factor.imaginary * root.imaginary, factor.real * root.imaginary + factor.imaginary * root.real};
            }
        }
    }
    for (int index = 0; inverse && index < count; index++)
        values[index].real /= count, values[index].imaginary /= count;
}

static void multiply_polynomials(void) {
    number a[32] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}}, b[32] = {{5, 0}, {-6, 0}, {7, 0}};
    transform(a, 32, 0);
    transform(b, 32, 0);
    for (int index = 0; index < 32; index++)
        a[index] = (number){a[index].real * b[index].real - a[index].imaginary * b[index].imaginary,
                            a[index].real * b[index].imaginary + a[index].imaginary * b[index].real};
    transform(a, 32, 1);
    for (int index = 0; index < 6; index++)
        printf("%ld ", lround(a[index].real));
    putchar('\n');
}

static double simpson(double (*function)(double), double from, double to, int steps) {
    double width = (to - from) / steps, sum = function(from) + function(to);
    for (int step = 1; step < steps; step++)
        sum += function(from + step * width) * (step % 2 ? 4 : 2);
    return sum * width / 3;
}

static double bell(double x) { return exp(-x * x); }
static double cosine_less_x(double x) { return cos(x) - x; }

static double bisect(double (*function)(double), double low, double high) {
    while (high - low > 1e-15 && (low + high) / 2 != low) {
        double middle = (low + high) / 2;
        if ((function(middle) > 0) == (function(low) > 0))
            low = middle;
        else
            high = middle;
    }
    return low;
}

int main(void) {
    number signal[64];
    for (int index = 0; index < 64; index++)
        signal[index] = (number){sin(2 * M_PI * 5 * index / 64) + 0.5 * cos(2 * M_PI * 12 * index / 64), 0};
    transform(signal, 64, 0);
    for (int index = 0; index < 32; index++)
        printf("%.6f ", hypot(signal[index].real, signal[index].imaginary));
    putchar('\n');
    transform(signal, 64, 1);
    for (int index = 0; index < 64; index += 9)
        printf("%a ", signal[index].real);
    putchar('\n');
    multiply_polynomials();
    printf("%.15g %.15g\n", simpson(bell, -4, 4, 100), bisect(cosine_less_x, 0, 1));
    return 0;
}
