// The rules of IEEE arithmetic: NaN, infinities, signed zero, subnormals, rounding, comparisons.
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits(double value) {
    uint64_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static uint32_t bits_single(float value) {
    uint32_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static void compare(double left, double right) {
    printf("%d%d%d%d%d%d %d%d%d%d ", left < right, left <= right, left > right, left >= right, left == right, left != right,
           !(left < right), !(left == right), isunordered(left, right), islessgreater(left, right));
}

static void table(void) {
    volatile double zero = 0;
    double values[] = {0.0, -0.0, 1.0, -1.5, 5e-324, DBL_MIN, DBL_MAX, 1 / zero, -1 / zero, NAN, 0.1, 3};
    enum { COUNT = sizeof values / sizeof values[0] };
    for (int left = 0; left < COUNT; left++)
        for (int right = 0; right < COUNT; right++) {
            volatile double a = values[left], b = values[right];
            compare(a, b);
            printf("%016lx %016lx %016lx %016lx\n", (unsigned long)bits(a + b), (unsigned long)bits(a - b),
                   (unsigned long)bits(a * b), (unsigned long)bits(a / b));
        }
}

static void singles(void) {
    volatile float values[] = {0.1f, 16777216.0f, 1.0f, FLT_MIN, 1e-40f, FLT_MAX, -3.5f};
    for (int left = 0; left < 7; left++)
        for (int right = 0; right < 7; right++)
            printf("%08x %08x %08x %08x %a\n", bits_single(values[left] + values[right]), bits_single(values[left] - values[right]),
                   bits_single(values[left] * values[right]), bits_single(values[left] / values[right]),
                   (double)values[left] * values[right]);
}

static void made_not_numbers(void) {
    volatile double zero = 0, infinity = 1 / zero;
    printf("%f %f %f %f\n", zero / zero, infinity - infinity, infinity * zero, fmod(1, zero));
    printf("%016lx %016lx %016lx\n", (unsigned long)bits(zero / zero), (unsigned long)bits(-(zero / zero)),
           (unsigned long)bits(sqrt(-1 - zero)));
    volatile float single = 0;
    printf("%08x %d %d\n", bits_single(single / single), isnan(single / single) != 0, signbit(single / single) != 0);
    double payload;
    uint64_t pattern = 0x7ff8000000001234;
    memcpy(&payload, &pattern, 8);
    printf("%016lx %016lx %016lx\n", (unsigned long)bits(payload + 1), (unsigned long)bits(2 * payload), (unsigned long)bits((float)payload));
}

static void sums(void) {
    double sum = 0, compensated = 0, lost = 0, harmonic = 0;
    for (int step = 1; step <= 1000; step++) {
        sum += 0.1;
        double term = 0.1 - lost, next = compensated + term;
        lost = (next - compensated) - term;
        compensated = next;
        harmonic += 1.0 / step;
    }
    printf("%.17g %.17g %.17g\n", sum, compensated, harmonic);
    float single = 0;
    for (int step = 1; step <= 1000; step++)
        single += 1.0f / (float)(step * step);
    printf("%.9g %d\n", single, 0.1 + 0.2 == 0.3);
}

static void classes(double value) {
    printf("%d %d %d %d %d %d\n", fpclassify(value) == FP_SUBNORMAL, isfinite(value) != 0, isinf(value) != 0, isnan(value) != 0,
           isnormal(value) != 0, signbit(value) != 0);
}

int main(void) {
    table();
    singles();
    made_not_numbers();
    sums();
    classes(1e-310), classes(-0.0), classes(INFINITY), classes(-NAN), classes(DBL_MIN);
    volatile double gradual = DBL_MIN;
    for (int step = 0; step < 54; step += 6) {
        printf("%a ", gradual);
        gradual /= 64;
    }
    printf("%a %d %d\n", gradual, gradual == 0, fegetround() == FE_TONEAREST);
    return 0;
}
