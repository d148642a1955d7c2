// Sorts four bytes and checks the order without a branch. 4! = 24.
// domain: bytes uchar = 0..3
// paths: 24
// findings: none
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char bytes[4];
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    for (int i = 1; i < 4; i++) {
        unsigned char moving = bytes[i];
        int j = i;
        for (; j > 0 && bytes[j - 1] > moving; j--)
            bytes[j] = bytes[j - 1];
        bytes[j] = moving;
    }
    assert((bytes[0] <= bytes[1]) & (bytes[1] <= bytes[2]) & (bytes[2] <= bytes[3]));
    return 0;
}
