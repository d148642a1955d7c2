// Conversions between floats and integers of several widths.
// paths: 6
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    short x;
    klee_make_symbolic(&x, sizeof x, "x");
    float scaled = x * 0.125f;
    int whole = (int)scaled;
    if (scaled != whole) {
        if (whole == 0)
            return x < 0 ? 1 : 2;
        return 3;
    }
    if ((unsigned char)(whole) == 200 && (double)whole > 4000.0)
        return 4;
    float big = (float)(x * 65536L + 1);
    if ((long)big == x * 65536L + 1)
        return 5;
    return 0;
}
