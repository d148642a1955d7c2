// A pointer to a local variable of a function that has returned, on one path.
// oracle: none
// paths: 2
// findings: use-after-return
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int kept = 4;

static int *choose(unsigned char x) {
    int local = x;
    int *chosen = &kept;
    if (x == 31)
        chosen = &local;
    return chosen;
}

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int *chosen = choose(x);
    return *chosen; //~ use-after-return
}
