// memcpy and memset with a length that is an input.
// paths: any
// findings: none
// exhaustive: yes
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char length, fill;
    klee_make_symbolic(&length, sizeof length, "length");
    klee_make_symbolic(&fill, sizeof fill, "fill");
    char buffer[8] = "zzzzzzz";
    length &= 7;
    memcpy(buffer, "abcdefg", length);
    if (buffer[4] == 'e' && buffer[5] == 'z')
        return 1; // length 5
    memset(buffer, fill, length);
    if (buffer[2] == 'q')
        return 2;
    return buffer[7] == 0 ? 3 : 99;
}
