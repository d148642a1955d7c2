// Natural numbers of arbitrary size, as far as exact conversion of decimal text needs them.
#ifndef SYMCRETE_NATURAL_H
#define SYMCRETE_NATURAL_H

#include <stddef.h>
#include <stdint.h>

// Enough for the longest text that can matter: 11,600 digits, which decide between neighbouring long doubles near zero,
// and the power of ten that divides them.
enum { NATURAL_WORDS = 1300 };

// Little-endian words; the top word in use is never zero, so that zero has no words.
struct natural {
    size_t length;
    uint32_t words[NATURAL_WORDS];
};

// n = n * factor + addend
static inline void natural_multiply_add(struct natural *n, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < n->length; i++) {
        carry += (uint64_t)n->words[i] * factor;
        n->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        n->words[n->length++] = (uint32_t)carry;
}

static inline void natural_multiply_by_power_of_five(struct natural *n, unsigned long exponent)
{
    for (; exponent >= 13; exponent -= 13)
        natural_multiply_add(n, 1220703125, 0); // the largest power of five in a word
    uint32_t rest = 1;
    for (; exponent != 0; exponent--)
        rest *= 5;
    if (rest != 1)
        natural_multiply_add(n, rest, 0);
}

static inline long natural_bit_length(const struct natural *n)
{
    if (n->length == 0)
        return 0;
    long bits = (long)(n->length - 1) * 32;
    for (uint32_t top = n->words[n->length - 1]; top != 0; top >>= 1)
        bits++;
    return bits;
}

static inline void natural_shift_left(struct natural *n, unsigned long bits)
{
    size_t whole = bits / 32;
    unsigned part = (unsigned)(bits % 32);
    if (n->length == 0)
        return;
    n->words[n->length] = 0;
    for (size_t i = n->length + 1; i-- > 0;) {
        uint32_t below = i > 0 && part != 0 ? n->words[i - 1] >> (32 - part) : 0;
        n->words[i + whole] = n->words[i] << part | below;
    }
    for (size_t i = 0; i < whole; i++)
        n->words[i] = 0;
    n->length += whole;
    if (n->words[n->length] != 0)
        n->length++;
}

// One digit of long division: divides words [place, place + divisor length] of the numerator by the divisor, whose top
// bit is set, leaves the remainder there and returns the quotient, which fits a word.
static inline uint32_t natural_divide_digit(uint32_t *numerator, const uint32_t *divisor, size_t length)
{
    uint64_t top = (uint64_t)numerator[length] << 32 | numerator[length - 1];
    uint64_t guess = top / divisor[length - 1], rest = top % divisor[length - 1];
    if (length >= 2) {
        while (guess > UINT32_MAX || guess * divisor[length - 2] > (rest << 32 | numerator[length - 2])) {
            guess--;
            rest += divisor[length - 1];
            if (rest > UINT32_MAX)
                break;
        }
    }
    uint64_t carry = 0, borrow = 0;
    for (size_t i = 0; i < length; i++) {
        carry += guess * divisor[i];
        uint64_t difference = (uint64_t)numerator[i] - (uint32_t)carry - borrow;
        numerator[i] = (uint32_t)difference;
        borrow = difference >> 63;
        carry >>= 32;
    }
    uint64_t difference = (uint64_t)numerator[length] - carry - borrow;
    numerator[length] = (uint32_t)difference;
    if (difference >> 63) { // the guess was one too large
        guess--;
        carry = 0;
        for (size_t i = 0; i < length; i++) {
            carry += (uint64_t)numerator[i] + divisor[i];
            numerator[i] = (uint32_t)carry;
            carry >>= 32;
        }
        numerator[length] += (uint32_t)carry;
    }
    return (uint32_t)guess;
}

#endif
