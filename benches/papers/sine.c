// sine: a sine for machines without one, which works on the bits of a double: classes of arguments by the high word,
// reduction by multiples of pi / 2 in two ranges, polynomials for the rest. The program of that name in the evaluation
// of the Concolic Walk paper (section 5, from the distribution of Symbolic PathFinder) is described by "float to
// bit-vector conversion"; this one is written from the mathematics: Taylor polynomials up to degree 17, Cody and
// Waite's reduction in three steps where bits cancel, Payne and Hanek's with 32-bit words of 2 / pi for large
// arguments. Within 2 units in the last place of the true sine.
// Measure: branches, 82. All can be reached.
#include "target.h"
#include <stdint.h>
#include <string.h>

enum { WORDS = 7, LIMBS = WORDS + 2, TABLE = 38 };

static const uint32_t TWO_OVER_PI[TABLE] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
};

// pi / 2 in parts of 33 bits, so that a part times a whole number below 2^20 is exact, and what remains.
static const double PART_1 = 0x1.921fb54400000p+0;
static const double PART_2 = 0x1.0b4611a600000p-34;
static const double PART_3 = 0x1.3198a2e000000p-69;
static const double PART_4 = 0x1.b839a252049c1p-104;
static const double HALF_PI = 0x1.921fb54442d18p+0;
static const double HALF_PI_REST = 0x1.1a62633145c07p-54;
static const double TO_QUARTERS = 0.6366197723675814;

// A number as the sum of two doubles, the second much smaller than the first.
struct pair {
    double high;
    double low;
};

struct reduced {
    struct pair rest;
    int quarter;
};

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t high_word(double value) {
    return (uint32_t)(bits_of(value) >> 32);
}

static uint32_t low_word(double value) {
    return (uint32_t)bits_of(value);
}

static double absolute(double value) {
    return double_of(bits_of(value) & 0x7fffffffffffffff);
}

static int is_negative(double value) {
    return high_word(value) >> 31;
}

static int exponent_of(double value) {
    return (int)(high_word(value) >> 20 & 0x7ff);
}

// Two to a power whose exponent a normal double can have.
static double power_of_two(int exponent) {
    return double_of((uint64_t)(exponent + 1023) << 52);
}

static struct pair sum(double a, double b) {
    double total = a + b;
    double part = total - a;
    return (struct pair){total, (a - (total - part)) + (b - part)};
}

static double upper_half(double value) {
    return double_of(bits_of(value) & 0xfffffffff8000000);
}

static struct pair product(double a, double b) {
    double a_high = upper_half(a), b_high = upper_half(b);
    double a_low = a - a_high, b_low = b - b_high;
    double whole = a * b;
    double rest = ((a_high * b_high - whole) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return (struct pair){whole, rest};
}

static double sine_kernel(struct pair x) {
    double z = x.high * x.high;
    double series = 1.0 / 355687428096000;
    series = series * z - 1.0 / 1307674368000;
    series = series * z + 1.0 / 6227020800;
    series = series * z - 1.0 / 39916800;
    series = series * z + 1.0 / 362880;
    series = series * z - 1.0 / 5040;
    series = series * z + 1.0 / 120;
    double cube = z * x.high;
    if (x.low == 0)
        return x.high + cube * (z * series - 1.0 / 6);
    double correction = x.low * (1 - 0.5 * z);
    return x.high + (cube * (z * series - 1.0 / 6) + correction);
}

static double cosine_kernel(struct pair x) {
    double z = x.high * x.high;
    double series = 1.0 / 20922789888000;
    series = series * z - 1.0 / 87178291200;
    series = series * z + 1.0 / 479001600;
    series = series * z - 1.0 / 3628800;
    series = series * z + 1.0 / 40320;
    series = series * z - 1.0 / 720;
    series = series * z + 1.0 / 24;
    double half = 0.5 * z;
    double first = 1 - half;
    double lost = (1 - first) - half;
    return first + (lost + (z * z * series - x.high * x.low));
}

// Rounds to the nearest whole number; the argument is below 2^31.
static int nearest(double value) {
    int whole = (int)value;
    if (value - whole >= 0.5)
        whole++;
    return whole;
}

// For x between pi / 4 and about 2^20 * pi / 2. Where more bits cancel, more parts of pi / 2 are subtracted.
static struct reduced reduce_medium(double x) {
    int count = nearest(x * TO_QUARTERS);
    double multiple = count;
    double rest = x - multiple * PART_1;
    struct pair result = sum(rest, -multiple * PART_2);
    if (exponent_of(x) - exponent_of(result.high) <= 16) {
        result = sum(result.high, result.low - multiple * PART_3);
    } else if (exponent_of(x) - exponent_of(result.high) <= 49) {
        struct pair next = sum(result.high, -multiple * PART_3);
        result = sum(next.high, next.low + result.low - multiple * PART_4);
    } else {
        struct pair next = sum(result.high, result.low);
        struct pair third = sum(next.high, -multiple * PART_3);
        struct pair fourth = sum(third.high, next.low - multiple * PART_4);
        result = sum(fourth.high, fourth.low + third.low);
    }
    return (struct reduced){result, count & 3};
}

// The product of a 53-bit number and WORDS words of 2 / pi, the least significant limb first.
static void multiply(uint64_t significand, int first, uint32_t limbs[LIMBS]) {
    uint64_t halves[2] = {significand & 0xffffffff, significand >> 32};
    memset(limbs, 0, LIMBS * sizeof limbs[0]);
    for (int half = 0; half < 2; half++) {
        uint64_t carry = 0;
        for (int i = 0; i < WORDS; i++) {
            carry += halves[half] * TWO_OVER_PI[first + WORDS - 1 - i] + limbs[i + half];
            limbs[i + half] = (uint32_t)carry;
            carry >>= 32;
        }
        limbs[WORDS + half] = (uint32_t)carry;
    }
}

// The 32 bits of the limbs below the given position.
static uint32_t bits_below(const uint32_t limbs[LIMBS], int position) {
    int limb = (position - 32) / 32, shift = position % 32;
    if (shift == 0)
        return limbs[limb];
    uint64_t both = (uint64_t)limbs[limb + 1] << 32 | limbs[limb];
    return (uint32_t)(both >> shift);
}

static void negate(uint32_t fraction[4]) {
    uint64_t carry = 1;
    for (int i = 3; i >= 0; i--) {
        carry += (uint32_t)~fraction[i];
        fraction[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

// For large x = significand * 2^exponent: of x * 2 / pi only what is below 4 matters, so only few words of 2 / pi do.
static struct reduced reduce_large(double x) {
    uint64_t significand = (bits_of(x) & 0xfffffffffffff) | 0x10000000000000;
    int exponent = exponent_of(x) - 1075;
    int first = 0;
    if (exponent >= 2)
        first = (exponent - 2) / 32;
    uint32_t limbs[LIMBS], fraction[4];
    multiply(significand, first, limbs);
    int point = 32 * WORDS - (exponent - 32 * first);
    int quarter = (int)(bits_below(limbs, point + 32) & 3);
    for (int i = 0; i < 4; i++)
        fraction[i] = bits_below(limbs, point - 32 * i);
    double sign = 1;
    if (fraction[0] >= 0x80000000) {
        negate(fraction);
        sign = -1;
        quarter = (quarter + 1) & 3;
    }
    struct pair total = sum(fraction[0] * power_of_two(-32), fraction[1] * power_of_two(-64));
    total = sum(total.high, total.low + fraction[2] * power_of_two(-96) + fraction[3] * power_of_two(-128));
    struct pair scaled = product(total.high, HALF_PI);
    double small = scaled.low + (total.high * HALF_PI_REST + total.low * HALF_PI);
    struct pair rest = sum(scaled.high, small);
    return (struct reduced){{sign * rest.high, sign * rest.low}, quarter};
}

static double in_quarter(struct reduced reduced) {
    switch (reduced.quarter) {
    case 0:
        return sine_kernel(reduced.rest);
    case 1:
        return cosine_kernel(reduced.rest);
    case 2:
        return -sine_kernel(reduced.rest);
    default:
        return -cosine_kernel(reduced.rest);
    }
}

static double sine(double x) {
    uint32_t high = high_word(x) & 0x7fffffff;
    if (high >= 0x7ff00000)
        return x - x;
    if (high < 0x3e400000)
        return x;
    if (high < 0x3fe921fb)
        return sine_kernel((struct pair){x, 0});
    double size = absolute(x);
    struct reduced reduced = high < 0x413921fb ? reduce_medium(size) : reduce_large(size);
    double result = in_quarter(reduced);
    return is_negative(x) ? -result : result;
}

enum class { ZERO, SUBNORMAL, NORMAL, INFINITE, NOT_A_NUMBER };

static enum class classify(double value) {
    uint32_t high = high_word(value) & 0x7fffffff, low = low_word(value);
    if ((high | low) == 0)
        return ZERO;
    if (high < 0x00100000)
        return SUBNORMAL;
    if (high < 0x7ff00000)
        return NORMAL;
    if (high == 0x7ff00000 && low == 0)
        return INFINITE;
    return NOT_A_NUMBER;
}

// What a caller of the sine may see, by the classes of argument and result.
static int check(double x) {
    double result = sine(x);
    switch (classify(x)) {
    case ZERO:
        return is_negative(result) ? 1 : 2;
    case SUBNORMAL:
        return low_word(result) == 0 ? 3 : 4;
    case INFINITE:
        return is_negative(x) ? 5 : 6;
    case NOT_A_NUMBER:
        return high_word(x) & 0x00080000 ? 7 : 8;
    default:
        break;
    }
    if (result == 1)
        return 9;
    if (result == -1)
        return 10;
    if (bits_of(result) == bits_of(x))
        return 11;
    if (absolute(result) < 1e-12 && absolute(x) > 4)
        return 12;
    if (is_negative(result) != is_negative(x))
        return 13;
    return result * result > 0.5 ? 14 : 15;
}

int main(void) {
    return check(symcrete_double("x"));
}
