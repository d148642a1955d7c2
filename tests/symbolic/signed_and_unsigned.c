// The same bytes compared as signed and as unsigned numbers of several widths.
// paths: 5
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    int answer = 0;
    if (x < y)
        answer |= 1;
    if ((signed char)x < (signed char)y)
        answer |= 2;
    if ((unsigned)(signed char)x < (unsigned)(signed char)y)
        answer |= 4; // as the unsigned comparison of bytes
    if ((short)(x << 8) <= (short)(y << 8))
        answer |= 8;
    if ((long)(signed char)x > 2000000000u)
        answer |= 16; // never
    return answer;
}
