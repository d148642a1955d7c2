/* Floats of every kind, wide integers, complex numbers, conversions between all of them. */
#include <complex.h>
#include <math.h>
#include <stdint.h>

const float floats[] = {0.0f, -0.0f, 1.5f, 3.14159274f, 1e-45f, 3.4e38f, INFINITY, -INFINITY};
const double doubles[] = {0.1, -2.5, 1e300, 4.9e-324, 0x1.8p-1030, 12345678.0};
const long double wides[] = {0.1L, -1.0L, 1e4000L, 0.0L};
const double not_a_number = NAN;
const float negative_nan = -NAN;

typedef __int128 i128;
typedef unsigned __int128 u128;
const u128 huge = ((u128)0x0123456789abcdefULL << 64) | 0xfedcba9876543210ULL;
const i128 minus_one = -1;
i128 smallest = (i128)1 << 127;

u128 multiply(u128 a, uint64_t b) { return a * b + huge; }

i128 divide(i128 a, i128 b) { return b ? a / b + a % b : minus_one; }

int compare(i128 a) { return a < smallest || a == ((i128)5 << 70); }

double mix(float f, double d, long double l, int i, unsigned u, int64_t s, uint64_t w)
{
    double sum = f + d + (double)l + i + u + s + w;
    sum += (int)f + (unsigned)d + (int64_t)l + (uint64_t)d;
    sum -= (float)i * (float)w / (f - 0.25f);
    sum = -sum + fmod(sum, 2.0) + sqrt(d) + fabs(d);
    return sum > 1e10 || sum != sum ? 0.0 : sum;
}

long double extend(double d, float f) { return (long double)d * f - 0.3L; }

double complex rotate(double complex z, float complex w) { return z * (1.0 + 2.0 * I) / w; }

int order(double a, double b)
{
    return (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b) +
           64 * __builtin_isunordered(a, b) + 128 * !(a < b);
}

#pragma STDC FP_CONTRACT ON
double fused(double a, double b, double c) { return a * b + c; }

__attribute__((optnone)) int shifts(int a, unsigned b, long c)
{
    return (a << 3) + (a >> 2) + (b >> 5) + (int)(c << b) + (a & ~b) + (a | 7) + (a ^ -1) + -a + !a + a % 7 + b % 9u;
}

char narrow(long long v) { return (char)v; }
_Bool truth(double d) { return d; }
