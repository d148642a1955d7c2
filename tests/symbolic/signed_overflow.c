// Sums that leave the range of int: findings where they are asked for.
// flags: --overflow
// oracle: none
// paths: any
// findings: signed-overflow
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int large = 2147483647 - 100;
    if (x > 150)
        return 1;
    return large + x > 0 ? 2 : 3; //~ signed-overflow
}
