// Jumps into loops, out of loops and back.
// paths: 40
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int rounds = 0;
    if (x > 200)
        goto middle;
again:
    rounds++;
    if (rounds > 3)
        goto out;
    while (x > 50) {
        x -= 50;
    middle:
        if (y == x)
            goto out;
        if (y & 1) {
            y >>= 1;
            goto again;
        }
    }
    return 20 + rounds;
out:
    return rounds;
}
