// A write at one index that is an input, then a read at another.
// paths: 4
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int cells[8] = {10, 11, 12, 13, 14, 15, 16, 17};
    cells[x & 7] = 99;
    cells[(x + 1) & 7] += 5;
    int found = cells[y & 7];
    if (found == 99)
        return 1;
    if (found == 15)
        return (y & 7) == 5 ? 2 : 3; // as it was, or 10 + 5
    if (found > 17)
        return 4;
    return 0;
}
