// lazy_program2: program2.c of section 5.1 of the paper on lazy expansion, which does not give the source: the code of figure 7
// with two calls of `locate` on the same string, for the first 'a' and for the first ':'. The characters behind both are looked
// at and tell '.' from the others too, and the string has up to N characters, none included; N = 14 makes the paper's number.
// Measure: the paths of `top` itself, 7 of them, each with an exit status of its own. All can be reached.
#include <symcrete.h>

#ifndef N
#define N 14
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
    int a = locate(input, 'a');
    if (a == -1)
        return 0;

    int colon = locate(input, ':');
    if (input[a + 1] != ':') {
        if (input[a + 1] == '.')
            return 1;
        return 2;
    }

    // A ':' behind the 'a' there is now, but it need not be the first one.
    if (colon < a)
        return 3;
    if (input[colon + 1] == ':')
        return 4;
    if (input[colon + 1] == '.')
        return 5;
    return 6;
}

int main(void) {
    char input[N + 1];
    symcrete_make_symbolic(input, sizeof input, "input");
    input[N] = '\0';
    return top(input);
}
