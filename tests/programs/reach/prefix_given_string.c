// A function that is given a string and wants a prefix, a length and letters only.
// flags: --entry serial --elements 12
#include <ctype.h>
#include <string.h>

int serial(const char *text) {
    if (!text || memchr(text, 0, 12) == NULL)
        return 0;
    if (strncmp(text, "SN-", 3) != 0)
        return 0;
    size_t length = strlen(text);
    for (size_t i = 3; i < length; i++)
        if (!isupper((unsigned char)text[i]))
            return 0;
    if (length == 9 && text[8] == 'Q')
        return 1; //~ reached
    if (length == 12)
        return 2; // no string comes here, which only a proof for objects of all sizes can say
    return 3;
}
