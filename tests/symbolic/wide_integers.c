// Arithmetic in 64 and 128 bits on two bytes.
// paths: 5
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    unsigned __int128 wide = (unsigned __int128)x << 100 | y;
    unsigned __int128 product = wide * 3;
    if ((unsigned long long)(product >> 64) == 0)
        return y > 170 ? 1 : 2;
    if (product / 7 * 7 == product)
        return 3;
    long long high = (long long)x << 56;
    if (high < 0 && (high >> 60) == -(long long)(y & 7) - 1)
        return 4;
    return 0;
}
