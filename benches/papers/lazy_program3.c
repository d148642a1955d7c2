// lazy_program3: program3.c of section 5.1 of the paper on lazy expansion, a variant of figure 1 whose source it does not give.
// Here one of the two comparisons is enough, and the strings are no longer than the constants of 14 characters, which makes
// 2 * 14 + 1 paths in each call of `compare`, and 29 * 29 together, the paper's number.
// Measure: the paths of `testme` itself, 3 of them, two of which have the exit status 1. All can be reached.
#include <symcrete.h>

static int compare(const char *left, const char *right) {
    while (*left != '\0' && *right != '\0' && *left == *right) {
        left++;
        right++;
    }
    return *left - *right;
}

static int testme(const char *s1, const char *s2) {
    int tmp1 = compare(s1, "Hello ESEC/FSE");
    int tmp2 = compare(s2, "Hello FSE/ESEC");
    if (tmp1 == 0 || tmp2 == 0)
        return 1;
    return 0;
}

int main(void) {
    char s1[sizeof "Hello ESEC/FSE"];
    char s2[sizeof "Hello FSE/ESEC"];
    symcrete_make_symbolic(s1, sizeof s1, "s1");
    symcrete_make_symbolic(s2, sizeof s2, "s2");
    s1[sizeof s1 - 1] = '\0';
    s2[sizeof s2 - 1] = '\0';
    return testme(s1, s2);
}
