// The parser behind strtol and its relatives, for narrow or wide text: define CHARACTER, then include this file.
#include <errno.h>
#include <limits.h>
#include <stddef.h>

// What the caller's result type can hold, and which prefixes it knows.
struct integer_kind {
    unsigned long long most_positive, most_negative; // magnitudes
    int is_signed;
    int knows_binary_prefix; // C23's 0b
};

static inline int digit_value(CHARACTER c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return INT_MAX;
}

// The base that the digits at *text are written in; steps over a prefix only if a digit of that base follows it.
static inline int resolve_base(const CHARACTER **text, int base, int knows_binary_prefix)
{
    const CHARACTER *start = *text;
    if (*start != '0')
        return base == 0 ? 10 : base;
    if ((base == 0 || base == 16) && (start[1] == 'x' || start[1] == 'X')) {
        if (digit_value(start[2]) < 16)
            *text += 2;
        return 16;
    }
    if (knows_binary_prefix && (base == 0 || base == 2) && (start[1] == 'b' || start[1] == 'B')) {
        if (digit_value(start[2]) < 2)
            *text += 2;
        return 2;
    }
    return base == 0 ? 8 : base;
}

static unsigned long long parse_integer(const CHARACTER *text, CHARACTER **end, int base, struct integer_kind kind)
{
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return 0;
    }
    const CHARACTER *place = text;
    while (*place == ' ' || (*place >= '\t' && *place <= '\r'))
        place++;
    int negative = *place == '-';
    if (negative || *place == '+')
        place++;
    base = resolve_base(&place, base, kind.knows_binary_prefix);

    unsigned long long most = negative ? kind.most_negative : kind.most_positive;
    unsigned long long last_safe = most / (unsigned)base, value = 0;
    int last_digit = (int)(most % (unsigned)base), overflow = 0;
    const CHARACTER *digits = place;
    for (;; place++) {
        int digit = digit_value(*place);
        if (digit >= base)
            break;
        if (value > last_safe || (value == last_safe && digit > last_digit))
            overflow = 1;
        else
            value = value * (unsigned)base + (unsigned)digit;
    }
    if (end != NULL)
        *end = (CHARACTER *)(place == digits ? text : place);
    if (overflow) {
        errno = ERANGE;
        value = most;
        if (!kind.is_signed)
            return value;
    }
    return negative ? 0 - value : value;
}
