// Structs by value as parameters: two bytes and their meanings.
// flags: --entry overlap
// paths: 6
// findings: none
// exhaustive: yes
struct span {
    signed char from, to;
};

int overlap(struct span span, _Bool inclusive) {
    if (span.from > span.to)
        return -1;
    if (inclusive)
        span.to++;
    if (span.to < span.from)
        return 2; // wrapped
    return span.from < 10 && span.to > 10 ? 1 : 0;
}

#ifdef COUNT_PATHS
void klee_make_symbolic(void *, unsigned long, const char *);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    struct span span;
    klee_make_symbolic(&span, sizeof span, "span");
    return overlap(span, __VERIFIER_nondet_bool());
}
#endif
