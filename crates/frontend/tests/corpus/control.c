/* Loops, switches, computed goto, setjmp, variable-length arrays, variable arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf escape;

static _Noreturn void leave(int code) { longjmp(escape, code); }

int guarded(int n)
{
    volatile int steps = 0;
    if (setjmp(escape) != 0)
        return steps;
    steps = n;
    if (n > 3)
        leave(n);
    return -1;
}

int interpret(const unsigned char *code, int accumulator)
{
    static const void *const labels[] = {&&stop, &&increment, &&decrement, &&doubled};
    goto *labels[*code & 3];
increment:
    accumulator++;
    goto *labels[*++code & 3];
decrement:
    accumulator--;
    goto *labels[*++code & 3];
doubled:
    accumulator *= 2;
    goto *labels[*++code & 3];
stop:
    return accumulator;
}

int sum_of(int count, ...)
{
    va_list list, copy;
    va_start(list, count);
    va_copy(copy, list);
    int sum = 0;
    while (count-- > 0)
        sum += va_arg(list, int);
    sum += (int)va_arg(copy, double);
    va_end(copy);
    va_end(list);
    return sum;
}

unsigned classify(long long v)
{
    switch (v) {
    case -9000000000LL: return 1;
    case 0: case 1: case 2: return 2;
    case 10 ... 14: return 3;
    case 100: v++; /* falls through */
    case 200: return (unsigned)v;
    case 0x7fffffffffffffffLL: return 5;
    }
    return 0;
}

int in_switch(char c)
{
    int n = 0;
    do {
        switch (c) {
        case 'a': n += 1; continue;
        case 'b': n += 2; break;
        case 'z': return n;
        default: n += 100;
        }
        n *= 2;
    } while (c++ < 'f' && n < 1000);
    return n;
}

int variable_array(int n)
{
    int squares[n], grid[n][3];
    for (int i = 0; i < n; i++) {
        squares[i] = i * i;
        grid[i][1] = squares[i];
    }
    char *text = __builtin_alloca(n);
    memset(text, 'x', n);
    memcpy(grid[0], squares, sizeof grid[0]);
    return squares[n - 1] + grid[n - 1][1] + text[0];
}

int collatz(unsigned n)
{
    int steps = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

int logical(int a, int b, const char *s)
{
    if ((a && b) || (!a && s && *s) || (b ? a > 3 : a < -3))
        return printf("%d %s\n", a, s ? s : "(none)");
    for (int i = 0, j = 10; i < j; i += 2, j--)
        if (i * j == b)
            abort();
    return a ?: b;
}
