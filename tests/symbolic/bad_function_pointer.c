// A table of functions with a hole.
// paths: 4
// findings: bad-function-pointer
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int one(void) { return 1; }
static int two(void) { return 2; }

static int (*table[4])(void) = {one, two, 0, one};

int main(void) {
    unsigned char which;
    klee_make_symbolic(&which, sizeof which, "which");
    if (which > 3)
        return 9;
    return table[which](); //~ bad-function-pointer
}
