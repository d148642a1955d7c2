// lazy_program1: program1.c of section 5.1 of the paper on lazy expansion, which does not give the source: the code of figure 7
// with two calls of `locate`, each on a string of its own. The strings have 1 to N characters, and both are always looked
// at, so that the paths of one multiply with those of the other: (3 N - 1) squared, and N = 9 makes the paper's number.
// Measure: the paths of `top` itself, 9 of them, each with an exit status of its own. All can be reached.
#include <symcrete.h>

#ifndef N
#define N 9
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

static int top(const char *first, const char *second) {
    int outcome = 0;
    int z = locate(first, 'a');
    if (z == -1)
        outcome += 1;
    else if (first[z + 1] != ':')
        outcome += 2;

    z = locate(second, 'a');
    if (z == -1)
        outcome += 3;
    else if (second[z + 1] != ':')
        outcome += 6;
    return outcome;
}

int main(void) {
    char first[N + 1], second[N + 1];
    symcrete_make_symbolic(first, sizeof first, "first");
    symcrete_make_symbolic(second, sizeof second, "second");
    first[N] = '\0';
    second[N] = '\0';
    symcrete_assume(first[0] != '\0');
    symcrete_assume(second[0] != '\0');
    return top(first, second);
}
