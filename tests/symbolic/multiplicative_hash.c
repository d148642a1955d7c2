// The sum of powers of 31 that so many hash functions are, of eight bytes.
// paths: 2
// findings: none
// oracle: none
#include <symcrete.h>

int main(void) {
    unsigned char text[8];
    symcrete_make_symbolic(text, sizeof text, "text");
    unsigned hash = 5381;
    for (int i = 0; i < 8; i++)
        hash = hash * 31 + text[i];
    if (hash == 0x12345678)
        return 1;
    return 0;
}
