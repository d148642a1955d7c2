// A function of variable arguments whose count is an input.
// paths: 8
// findings: none
// exhaustive: yes
#include <stdarg.h>
void klee_make_symbolic(void *, unsigned long, const char *);

static int total(int count, ...) {
    va_list arguments;
    va_start(arguments, count);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += va_arg(arguments, int);
    va_end(arguments);
    return sum;
}

int main(void) {
    unsigned char count, value;
    klee_make_symbolic(&count, sizeof count, "count");
    klee_make_symbolic(&value, sizeof value, "value");
    int sum = total(count & 3, 1, (int)value, 3);
    if (sum == 100)
        return 1;
    if (sum > 255)
        return 2;
    return 0;
}
