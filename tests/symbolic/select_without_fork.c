// Choices between constants and by arithmetic: no branch, one path.
// paths: 1
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int chosen = x > 100 ? 5 : 9;
    int mask = -(x < y);
    int smaller = (x & mask) | (y & ~mask);
    int flags = (x == y) + 2 * (x > y) + 4 * (smaller > 50);
    return chosen + flags + (smaller & 63);
}
