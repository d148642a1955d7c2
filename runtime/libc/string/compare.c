// <string.h> and <strings.h>: comparison of strings, in the C locale.
#define _GNU_SOURCE
#include <string.h>
#include <strings.h>

#include "../internal.h"

int strcmp(const char *left, const char *right)
{
    while (*left != '\0' && *left == *right) {
        left++;
        right++;
    }
    return (unsigned char)*left - (unsigned char)*right;
}
ALIAS(strcoll, strcmp);

int strncmp(const char *left, const char *right, size_t count)
{
    for (; count != 0; count--, left++, right++) {
        if (*left != *right)
            return (unsigned char)*left - (unsigned char)*right;
        if (*left == '\0')
            break;
    }
    return 0;
}

static inline int lower(char byte)
{
    unsigned char value = (unsigned char)byte;
    return value >= 'A' && value <= 'Z' ? value + ('a' - 'A') : value;
}

int __strcasecmp(const char *left, const char *right)
{
    while (*left != '\0' && lower(*left) == lower(*right)) {
        left++;
        right++;
    }
    return lower(*left) - lower(*right);
}
ALIAS(strcasecmp, __strcasecmp);

int __strncasecmp(const char *left, const char *right, size_t count)
{
    for (; count != 0; count--, left++, right++) {
        int difference = lower(*left) - lower(*right);
        if (difference != 0 || *left == '\0')
            return difference;
    }
    return 0;
}
ALIAS(strncasecmp, __strncasecmp);

static int is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

// Version order: runs of digits compare as numbers, but a run that starts with zero is the fraction of a number, so
// that more leading zeros come first: 000 < 00 < 01 < 010 < 09 < 0 < 1 < 9 < 10.
int __strverscmp(const char *left, const char *right)
{
    size_t place = 0;
    while (left[place] == right[place] && left[place] != '\0')
        place++;
    if (left[place] == right[place])
        return 0;

    // The run of digits around the first difference.
    size_t start = place;
    while (start > 0 && is_digit(left[start - 1]))
        start--;
    int zeros_only = 1;
    for (size_t i = start; i < place; i++)
        if (left[i] != '0')
            zeros_only = 0;

    int in_digits = is_digit(left[place]), other_in_digits = is_digit(right[place]);
    int plain = (unsigned char)left[place] - (unsigned char)right[place];
    if (start == place) {
        if (!in_digits || !other_in_digits || left[place] == '0' || right[place] == '0')
            return plain;
    } else if (left[start] == '0') {
        // A fraction: what ends while only zeros were seen is larger, and any digit beats the end otherwise.
        if (zeros_only && in_digits != other_in_digits)
            return in_digits ? -1 : 1;
        return plain;
    }

    // Integral parts: the longer run is the larger number.
    size_t i = place, j = place;
    while (is_digit(left[i]))
        i++;
    while (is_digit(right[j]))
        j++;
    return i == j ? plain : i < j ? -1 : 1;
}
ALIAS(strverscmp, __strverscmp);
