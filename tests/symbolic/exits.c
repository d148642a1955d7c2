// Ends by exit, _exit and return, each with its own status.
// paths: 7
// findings: none
// exhaustive: yes
#include <stdlib.h>
#include <unistd.h>
void klee_make_symbolic(void *, unsigned long, const char *);

static void check(unsigned char x) {
    if (x == 'q')
        exit(3);
    if (x == 'Q')
        _exit(4);
    if (x > 250)
        exit(-1);
}

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    check(x);
    check((unsigned char)(x + 1));
    return x == 0 ? 5 : 0;
}
