// Integer helpers of <stdlib.h> and <inttypes.h>: absolute values, quotients with remainder, atoi, a64l.
#include <inttypes.h>
#include <stdlib.h>

#include "../internal.h"

#undef abs
#undef labs
#undef llabs

int abs(int value)
{
    return value < 0 ? (int)(0 - (unsigned)value) : value;
}

long labs(long value)
{
    return value < 0 ? (long)(0 - (unsigned long)value) : value;
}

long long llabs(long long value)
{
    return value < 0 ? (long long)(0 - (unsigned long long)value) : value;
}

intmax_t imaxabs(intmax_t value)
{
    return value < 0 ? (intmax_t)(0 - (uintmax_t)value) : value;
}

div_t div(int numerator, int denominator)
{
    return (div_t){numerator / denominator, numerator % denominator};
}

ldiv_t ldiv(long numerator, long denominator)
{
    return (ldiv_t){numerator / denominator, numerator % denominator};
}

lldiv_t lldiv(long long numerator, long long denominator)
{
    return (lldiv_t){numerator / denominator, numerator % denominator};
}

imaxdiv_t imaxdiv(intmax_t numerator, intmax_t denominator)
{
    return (imaxdiv_t){numerator / denominator, numerator % denominator};
}

int atoi(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

long atol(const char *text)
{
    return strtol(text, NULL, 10);
}

long long atoll(const char *text)
{
    return strtoll(text, NULL, 10);
}

static const char base64_digits[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// Six bits a digit, the least significant first, 32 bits in all.
long a64l(const char *text)
{
    uint32_t value = 0;
    for (int place = 0; place < 6 && text[place] != '\0'; place++) {
        uint32_t digit = 0;
        while (digit < 64 && base64_digits[digit] != text[place])
            digit++;
        if (digit == 64)
            break;
        value |= digit << (6 * place);
    }
    return (long)value;
}

char *l64a(long number)
{
    static char text[7];
    uint32_t value = (uint32_t)number;
    int length = 0;
    for (; value != 0; value >>= 6)
        text[length++] = base64_digits[value & 63];
    text[length] = '\0';
    return text;
}
