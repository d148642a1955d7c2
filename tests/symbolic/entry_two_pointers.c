// Two pointers of one type as parameters: they may be the same.
// flags: --entry transfer
// domain: account* int = -1 0 10 11 2147483647 -2147483648
// paths: at least 5
// findings: none
int transfer(int *from, int *to) {
    if (!from || !to)
        return 1;
    if (*from < 10)
        return 2;
    int before = *to;
    *from -= 10;
    *to += 10;
    if (*to == before)
        return 3; // only where both are one
    return 0;
}

#ifdef COUNT_PATHS
void klee_make_symbolic(void *, unsigned long, const char *);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int accounts[2];
    int *choices[3] = {0, &accounts[0], &accounts[1]};
    klee_make_symbolic(&accounts[0], sizeof accounts[0], "account0");
    klee_make_symbolic(&accounts[1], sizeof accounts[1], "account1");
    unsigned char which = __VERIFIER_nondet_uchar();
    return transfer(choices[which % 3], choices[which / 3 % 3]);
}
#endif
