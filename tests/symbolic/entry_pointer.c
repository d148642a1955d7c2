// A pointer as parameter: null, or an object of its type.
// flags: --entry adjust
// domain: point short = -32768 -1 0 1 100 32767
// paths: at least 6
// findings: none
struct point {
    short x, y;
};

int adjust(struct point *point) {
    if (point == 0)
        return -1;
    if (point->x < 0)
        point->x = (short)-point->x;
    if (point->x < 0)
        return 1; // the smallest number has no counterpart
    if (point->x == point->y)
        return 2;
    return 0;
}

#ifdef COUNT_PATHS
void klee_make_symbolic(void *, unsigned long, const char *);
_Bool __VERIFIER_nondet_bool(void);
int main(void) {
    struct point point;
    // As arithmetic, so that this is no branch of its own.
    struct point *chosen = (struct point *)((unsigned long)&point * __VERIFIER_nondet_bool());
    klee_make_symbolic(&point, sizeof point, "point");
    return adjust(chosen);
}
#endif
