// lazy_fig1: figure 1 of the paper on lazy expansion: two strings are compared with constants, and only the outcomes matter.
// Each string has one byte more than its constant and a zero behind it, so that it may be shorter, as long, or longer: a
// constant of n characters then makes 2 (n + 1) paths in `compare`, and 11 and 14 characters make the 24 * 30 of the paper.
// Measure: the paths of `testme` itself, 3 of them, each with an exit status of its own. All can be reached.
#include <symcrete.h>

static int compare(const char *left, const char *right) {
    while (*left != '\0' && *right != '\0' && *left == *right) {
        left++;
        right++;
    }
    return *left - *right;
}

static int testme(const char *s1, const char *s2) {
    const char *const1 = "Hello World";
    const char *const2 = "Hello ESEC/FSE";
    int tmp1 = compare(s1, const1);
    int tmp2 = compare(s2, const2);
    if (tmp1 == 0) {
        if (tmp2 == 0)
            return 2; // the figure prints "Success" here
        return 1;
    }
    return 0;
}

int main(void) {
    char s1[sizeof "Hello World" + 1];
    char s2[sizeof "Hello ESEC/FSE" + 1];
    symcrete_make_symbolic(s1, sizeof s1, "s1");
    symcrete_make_symbolic(s2, sizeof s2, "s2");
    s1[sizeof s1 - 1] = '\0';
    s2[sizeof s2 - 1] = '\0';
    return testme(s1, s2);
}
