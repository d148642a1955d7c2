// The integer square root by bits; checked by multiplication.
// paths: 17
// findings: none
// exhaustive: yes
#include <assert.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned short number;
    klee_make_symbolic(&number, sizeof number, "number");
    unsigned root = 0;
    for (unsigned bit = 8; bit != 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= number)
            root += bit;
    assert(root * root <= number);
    if (number < 256)
        assert((root + 1) * (root + 1) > number);
    return (int)root;
}
