// Distances between pointers into one array, and their order.
// paths: at least 4
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int cells[16] = {0};
    int *first = &cells[x & 15], *second = cells + (y & 15);
    if (first > second)
        return 1;
    if (second - first == 15)
        return 2;
    *first = 7;
    if (*second == 7)
        return first == second ? 3 : 99;
    return 0;
}
