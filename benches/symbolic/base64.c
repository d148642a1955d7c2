// Decodes an argument in base 64 of at most four letters, with padding and all errors.
//
// Number of paths: counted by running all arguments over one letter of every interval that the program tells apart, and of the
// letters of each interval one for each number of zeros, of 0, 2 and 4, in which values that can stand before padding may end.
// flags: --sym-args 1 1 4
// domain: arg0 char = 0 'A' 'B' 'E' 'a' 'c' 'g' '0' '1' '+' '/' '=' ',' '[' '{' ':' 255
// paths: 1896
// findings: none
#include <stdio.h>

static int value_of(char letter) {
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    if (letter == '+')
        return 62;
    if (letter == '/')
        return 63;
    return -1;
}

int main(int argc, char **argv) {
    unsigned bits = 0;
    int count = 0, padding = 0;
    if (argc != 2)
        return 2;
    for (const char *next = argv[1]; *next != 0; next++, count++) {
        if (*next == '=') {
            if (count < 2)
                return 3;
            padding++;
            bits <<= 6;
            continue;
        }
        int value = value_of(*next);
        if (value < 0)
            return 4;
        if (padding > 0)
            return 5;
        bits = bits << 6 | (unsigned)value;
    }
    if (count % 4 != 0)
        return 6;
    if (padding > 0 && (bits >> (8 * (padding - 1)) & 255) != 0)
        return 7; // bits that belong to no byte
    return 0;
}
