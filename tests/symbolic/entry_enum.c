// An enumeration as parameter, with a value that no name has.
// flags: --entry next
// domain: light int = 0..3 -1 2147483647
// paths: at least 5
// findings: none
enum light { RED, YELLOW, GREEN };

int next(enum light light, unsigned char hurry) {
    switch (light) {
    case RED:
        return hurry > 200 ? GREEN : YELLOW;
    case YELLOW:
        if (hurry == 0)
            return RED;
        return GREEN;
    case GREEN:
        return YELLOW;
    }
    return -1;
}

#ifdef COUNT_PATHS
void klee_make_symbolic(void *, unsigned long, const char *);
int main(void) {
    int light;
    unsigned char hurry;
    klee_make_symbolic(&light, sizeof light, "light");
    klee_make_symbolic(&hurry, sizeof hurry, "hurry");
    return next((enum light)light, hurry);
}
#endif
