// The exact decimal digits of a binary floating-point number, rounded correctly at any place.
//
// The part before the point is kept in base 10^9, least significant limb first, and is doubled 32 times a step. The
// part behind the point is kept in binary, most significant word first; multiplying it by 10^9 moves nine digits before
// the point. Only as many digits are made as the format shows, and one more; whether anything is left behind them
// decides ties.
#include "format.h"

enum {
    LIMB = 1000000000,
    LIMB_DIGITS = 9,
    // Enough for every double, and for long doubles between 10^-300 and 10^300.
    SMALL_EXPONENT = 1088,
    SMALL_WORDS = SMALL_EXPONENT / 32 + 4,
    SMALL_DIGITS = SMALL_EXPONENT + 64,
    // Enough for every x87 long double.
    LARGE_EXPONENT = 16512,
    LARGE_WORDS = LARGE_EXPONENT / 29 + 4,
    LARGE_DIGITS = LARGE_EXPONENT + 64,
};

struct workspace {
    uint32_t *limbs; // of the part before the point
    int limb_count;
    uint32_t *words; // of the part behind the point
    int word_count;
};

// Sets the part before the point to mantissa * 2^exponent.
static void set_integer(struct workspace *work, uint64_t mantissa, int exponent)
{
    int count = 0;
    for (; mantissa != 0; mantissa /= LIMB) {
        work->limbs[count++] = (uint32_t)(mantissa % LIMB);
    }
    while (exponent > 0) {
        int step = exponent < 32 ? exponent : 32;
        uint64_t carry = 0;
        for (int i = 0; i < count; i++) {
            carry += (uint64_t)work->limbs[i] << step;
            work->limbs[i] = (uint32_t)(carry % LIMB);
            carry /= LIMB;
        }
        for (; carry != 0; carry /= LIMB) {
            work->limbs[count++] = (uint32_t)(carry % LIMB);
        }
        exponent -= step;
    }
    work->limb_count = count;
}

// Sets the part behind the point to mantissa / 2^places, which is below 1.
static void set_fraction(struct workspace *work, uint64_t mantissa, int places)
{
    int count = (places + 31) / 32;
    int shift = count * 32 - places;
    memset(work->words, 0, (size_t)count * sizeof *work->words);
    uint64_t low = mantissa << shift;
    uint32_t high = shift == 0 ? 0 : (uint32_t)(mantissa >> (64 - shift));
    uint32_t parts[3] = {(uint32_t)low, (uint32_t)(low >> 32), high};
    for (int i = 0; i < 3 && i < count; i++) {
        work->words[count - 1 - i] = parts[i];
    }
    work->word_count = count;
}

static void set_number(struct workspace *work, uint64_t mantissa, int exponent)
{
    work->limb_count = 0;
    work->word_count = 0;
    if (mantissa == 0) {
        return;
    }
    int zeros = __builtin_ctzll(mantissa);
    mantissa >>= zeros;
    exponent += zeros;
    if (exponent >= 0) {
        set_integer(work, mantissa, exponent);
    } else if (exponent <= -64) {
        set_fraction(work, mantissa, -exponent);
    } else {
        set_integer(work, mantissa >> -exponent, 0);
        set_fraction(work, mantissa & ((1ULL << -exponent) - 1), -exponent);
    }
}

// Takes the next nine digits from behind the point. Words at the end that became zero are dropped.
static uint32_t next_limb(struct workspace *work)
{
    uint64_t carry = 0;
    for (int i = work->word_count - 1; i >= 0; i--) {
        carry += (uint64_t)work->words[i] * LIMB;
        work->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    while (work->word_count > 0 && work->words[work->word_count - 1] == 0) {
        work->word_count--;
    }
    return (uint32_t)carry;
}

// Appends nine digits; as long as there are none, zeros only move the point.
static void append_limb(struct decimal *decimal, uint32_t limb)
{
    char text[LIMB_DIGITS];
    for (int i = LIMB_DIGITS - 1; i >= 0; i--) {
        text[i] = (char)('0' + limb % 10);
        limb /= 10;
    }
    int skipped = 0;
    if (decimal->count == 0) {
        while (skipped < LIMB_DIGITS && text[skipped] == '0') {
            skipped++;
        }
    }
    memcpy(decimal->digits + decimal->count, text + skipped, (size_t)(LIMB_DIGITS - skipped));
    decimal->count += LIMB_DIGITS - skipped;
}

static void set_to_zero(struct decimal *decimal)
{
    decimal->digits[0] = '0';
    decimal->count = 1;
    decimal->point = 1;
}

// Adds one to the last of the digits. A carry out of the first needs the byte before it, which the caller provides.
static void increment(struct decimal *decimal)
{
    int last = decimal->count - 1;
    while (last >= 0 && decimal->digits[last] == '9') {
        decimal->digits[last--] = '0';
    }
    if (last >= 0) {
        decimal->digits[last]++;
        return;
    }
    *--decimal->digits = '1';
    decimal->count++;
    decimal->point++;
    decimal->carried = true;
}

// Rounds to `kept` digits; `more` says that something other than zero follows those that are there.
static void round_to(struct decimal *decimal, int kept, bool more)
{
    if (kept >= decimal->count) {
        return;
    }
    if (kept < 0) {
        set_to_zero(decimal);
        return;
    }
    int next = decimal->digits[kept] - '0';
    for (int i = kept + 1; i < decimal->count && !more; i++) {
        more = decimal->digits[i] != '0';
    }
    bool odd = kept > 0 && (decimal->digits[kept - 1] - '0') % 2 != 0;
    bool up = next > 5 || (next == 5 && (more || odd));
    decimal->count = kept;
    if (up) {
        increment(decimal);
    } else if (kept == 0) {
        set_to_zero(decimal);
    }
}

// How many of the digits the limit keeps.
static int kept_digits(const struct decimal *decimal, struct decimal_limit limit)
{
    if (!limit.after_point) {
        return limit.count;
    }
    return decimal->point > 0 && limit.count > INT_MAX - decimal->point ? INT_MAX : limit.count + decimal->point;
}

// `decimal->digits` has room for all digits, and one byte before them.
static void make_digits(struct decimal *decimal, struct workspace *work, struct decimal_limit limit)
{
    decimal->count = 0;
    for (int i = work->limb_count - 1; i >= 0; i--) {
        append_limb(decimal, work->limbs[i]);
    }
    decimal->point = decimal->count;
    while (work->word_count > 0 && decimal->count <= kept_digits(decimal, limit)) {
        int before = decimal->count;
        append_limb(decimal, next_limb(work));
        if (before == 0) {
            decimal->point -= LIMB_DIGITS - decimal->count;
        }
    }
    if (decimal->count == 0) {
        set_to_zero(decimal);
        return;
    }
    round_to(decimal, kept_digits(decimal, limit), work->word_count > 0);
}

static void with_small_workspace(const struct float_parts *parts, struct decimal_limit limit, use_decimal *use,
                                 struct sink *sink, const struct conversion *conversion)
{
    uint32_t limbs[SMALL_WORDS], words[SMALL_WORDS];
    char digits[SMALL_DIGITS];
    struct workspace work = {.limbs = limbs, .words = words};
    struct decimal decimal = {.digits = digits + 1};
    set_number(&work, parts->mantissa, parts->exponent);
    make_digits(&decimal, &work, limit);
    use(sink, conversion, parts, &decimal);
}

static void with_large_workspace(const struct float_parts *parts, struct decimal_limit limit, use_decimal *use,
                                 struct sink *sink, const struct conversion *conversion)
{
    uint32_t limbs[LARGE_WORDS], words[LARGE_WORDS];
    char digits[LARGE_DIGITS];
    struct workspace work = {.limbs = limbs, .words = words};
    struct decimal decimal = {.digits = digits + 1};
    set_number(&work, parts->mantissa, parts->exponent);
    make_digits(&decimal, &work, limit);
    use(sink, conversion, parts, &decimal);
}

void __format_decimal(const struct float_parts *parts, struct decimal_limit limit, use_decimal *use, struct sink *sink,
                      const struct conversion *conversion)
{
    // The mantissa has up to 64 bits of its own.
    if (parts->exponent >= -SMALL_EXPONENT && parts->exponent <= SMALL_EXPONENT - 64) {
        with_small_workspace(parts, limit, use, sink, conversion);
    } else {
        with_large_workspace(parts, limit, use, sink, conversion);
    }
}
