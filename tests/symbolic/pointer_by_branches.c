// A pointer chosen by branches, then used on both sides of another.
// paths: 5
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    unsigned char low[4] = {1, 2, 3, 4}, high[4] = {100, 101, 102, 103}, *chosen;
    if (x < 128)
        chosen = low;
    else
        chosen = high;
    chosen += x & 3;
    *chosen = y;
    if (low[2] == 50)
        return 1;
    if (high[2] == 50)
        return 2;
    if (chosen == &low[0])
        return 3;
    return 0;
}
