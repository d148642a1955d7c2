// Errors by longjmp out of nested calls.
// paths: 7
// findings: none
// exhaustive: yes
#include <setjmp.h>
void klee_make_symbolic(void *, unsigned long, const char *);

static jmp_buf handler;

static int half(int value) {
    if (value & 1)
        longjmp(handler, 1);
    return value / 2;
}

static int quarter(int value) {
    if (value > 200)
        longjmp(handler, 2);
    return half(half(value));
}

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    volatile int done = 0;
    switch (setjmp(handler)) {
    case 0:
        done = quarter(x);
        done += quarter(y);
        return 10;
    case 1:
        return done > 0 ? 11 : 12;
    default:
        return done > 20 ? 13 : 14;
    }
}
