// An index that is checked on one side only.
// paths: 4
// findings: out-of-bounds
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static const short primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};

int main(void) {
    signed char index;
    klee_make_symbolic(&index, sizeof index, "index");
    if (index >= 10)
        return 1;
    if (primes[index] > 15) //~ out-of-bounds
        return 2;
    return 0;
}
