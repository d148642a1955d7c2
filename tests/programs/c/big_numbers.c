// Arithmetic on big numbers: digits of pi and e, factorials, powers, division, greatest common divisors.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIMBS = 24 };
typedef struct { uint32_t limbs[LIMBS]; } big;

static big from(uint32_t value) { return (big){{value}}; }
static int is_zero(const big *value) {
    for (int index = 0; index < LIMBS; index++)
        if (value->limbs[index])
            return 0;
    return 1;
}

static int compare(const big *left, const big *right) {
    for (int index = LIMBS; index--;)
        if (left->limbs[index] != right->limbs[index])
            return left->limbs[index] < right->limbs[index] ? -1 : 1;
    return 0;
}

static big add(big left, big right) {
    uint64_t carry = 0;
    for (int index = 0; index < LIMBS; index++) {
        carry += (uint64_t)left.limbs[index] + right.limbs[index];
        left.limbs[index] = (uint32_t)carry;
        carry >>= 32;
    }
    return left;
}

static big subtract(big left, big right) {
    int64_t borrow = 0;
    for (int index = 0; index < LIMBS; index++) {
        borrow += (int64_t)left.limbs[index] - right.limbs[index];
        left.limbs[index] = (uint32_t)borrow;
        borrow >>= 32;
    }
    return left;
}

static big multiply(big left, big right) {
    big product = {{0}};
    for (int low = 0; low < LIMBS; low++) {
        uint64_t carry = 0;
        for (int high = 0; left.limbs[low] && low + high < LIMBS; high++) {
            carry += (uint64_t)left.limbs[low] * right.limbs[high] + product.limbs[low + high];
            product.limbs[low + high] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

static uint32_t divide_small(big *value, uint32_t divisor) {
    uint64_t rest = 0;
    for (int index = LIMBS; index--;) {
        rest = rest << 32 | value->limbs[index];
        value->limbs[index] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    return (uint32_t)rest;
}

static big modulo(big value, big divisor) {
    big shifted = divisor;
    int shifts = 0;
    while (compare(&shifted, &value) <= 0 && !(shifted.limbs[LIMBS - 1] >> 31))
        shifted = add(shifted, shifted), shifts++;
    for (; shifts >= 0; shifts--) {
        if (compare(&shifted, &value) <= 0)
            value = subtract(value, shifted);
        for (int index = 0; index < LIMBS; index++)
            shifted.limbs[index] = shifted.limbs[index] >> 1 | (index + 1 < LIMBS ? shifted.limbs[index + 1] << 31 : 0);
    }
    return value;
}

static void print(big value) {
    char digits[LIMBS * 10 + 1], *at = digits + sizeof digits - 1;
    *at = 0;
    do
        *--at = (char)('0' + divide_small(&value, 10));
    while (!is_zero(&value));
    puts(at);
}

/* The spigot of Rabinowitz and Wagon. */
static void pi(int digits) {
    int length = digits * 10 / 3 + 1, *rest = malloc((size_t)length * sizeof *rest), held = 0, nines = 0;
    for (int index = 0; index < length; index++)
        rest[index] = 2;
    for (int digit = 0; digit < digits; digit++) {
        int carry = 0;
        for (int index = length; index--;) {
            int value = rest[index] * 10 + carry * (index + 1);
            rest[index] = value % (2 * index + 1);
            carry = value / (2 * index + 1);
        }
        rest[0] = carry % 10;
        carry /= 10;
        if (carry == 9) {
            nines++;
            continue;
        }
        if (digit)
            putchar('0' + held + carry / 10);
        for (; nines; nines--)
            putchar(carry == 10 ? '0' : '9');
        held = carry % 10;
    }
    putchar('\n');
    free(rest);
}

int main(void) {
    big factorial = from(1);
    for (uint32_t factor = 1; factor <= 60; factor++) {
        factorial = multiply(factorial, from(factor));
        if (factor % 20 == 0)
            print(factorial);
    }
    big power = from(1), fibonacci = from(0), next = from(1);
    for (int step = 0; step < 90; step++)
        power = multiply(power, from(3));
    print(power);
    for (int step = 0; step < 300; step++) {
        big sum = add(fibonacci, next);
        fibonacci = next, next = sum;
    }
    print(fibonacci);
    print(modulo(factorial, add(power, from(2))));
    big a = multiply(from(123456789), from(987654321)), b = multiply(from(123456789), from(1000));
    while (!is_zero(&b)) {
        big rest = modulo(a, b);
        a = b, b = rest;
    }
    print(a);
    print(subtract(from(5), from(7)));
    pi(60);
    return 0;
}
