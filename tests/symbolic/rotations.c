// Rotations and byte swaps, undone and compared.
// paths: 3
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static unsigned short rotate(unsigned short value, unsigned count) {
    count &= 15;
    return (unsigned short)(value << count | value >> ((16 - count) & 15));
}

int main(void) {
    unsigned short x;
    klee_make_symbolic(&x, sizeof x, "x");
    if (rotate(rotate(x, 5), 11) != x)
        return 1; // never
    if (__builtin_bswap16(x) == x)
        return rotate(x, 4) == x ? 2 : 3;
    if (rotate(x, x) == 0xc000)
        return 4;
    return __builtin_bswap32(x) == 0x34120000u ? 5 : 0;
}
