// memcpy with a length that is an input and too large for some of its values.
// paths: any
// findings: out-of-bounds
// exhaustive: yes
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);

static char source[16] = "fifteen letters";

int main(void) {
    unsigned char length;
    klee_make_symbolic(&length, sizeof length, "length");
    char buffer[12];
    if (length > 16)
        return 1;
    memcpy(buffer, source, length); //~ out-of-bounds
    return length > 3 && buffer[3] == 't' ? 2 : 0;
}
