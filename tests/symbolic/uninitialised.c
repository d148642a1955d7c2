// A variable that some paths do not set decides a branch.
// oracle: none
// paths: any
// findings: uninitialised value
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int chosen;
    if (x > 5)
        chosen = x;
    if (x > 3 && chosen == 77) //~ uninitialised value
        return 1;
    return 0;
}
