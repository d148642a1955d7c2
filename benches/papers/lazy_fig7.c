// lazy_fig7: figure 7 of the paper on lazy expansion: the first 'a' of a string, and whether a ':' follows it. N is the most
// characters that the string has, 8 unless -D N=... tells otherwise; a zero stands behind them. The string is not empty:
// with the empty one too there would be one path more than the 3 N - 1 of the paper, N in which no 'a' is found, N in which
// one is found without a ':' behind it, and N - 1 with.
// Measure: the paths of `top` itself, 3 of them, each with an exit status of its own. All can be reached if N is 2 or more.
#include <symcrete.h>

#ifndef N
#define N 8
#endif

// The index of the first character c in s, or -1.
static int locate(const char *s, int c) {
    int i = 0;
    while (s[i] != c) {
        if (s[i] == 0)
            return -1;
        i++;
    }
    return i;
}

static int top(const char *input) {
    int z = locate(input, 'a');
    if (z == -1)
        return -1;
    if (input[z + 1] != ':')
        return 1;
    return 0;
}

int main(void) {
    char input[N + 1];
    symcrete_make_symbolic(input, sizeof input, "input");
    input[N] = '\0';
    symcrete_assume(input[0] != '\0');
    return top(input) + 1;
}
