// Conditions within conditions, some of which contradict those around them.
// paths: 7
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    if (x < 100) {
        if (y > 200) {
            if (x + y == 250)
                return 1;
            if (x > 120) // never, below 100
                return 99;
            return 2;
        }
        if (x == y)
            return 3;
        if (x * 2 == y)
            return 4;
    } else if (y < 50) {
        if (x - y < 40)
            return x == 255 ? 98 : 5; // 255 - y is at least 206
        return 6;
    }
    return 0;
}
