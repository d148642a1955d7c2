// Shift counts that are inputs, left and right, with and without sign.
// paths: 8
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char value, count;
    klee_make_symbolic(&value, sizeof value, "value");
    klee_make_symbolic(&count, sizeof count, "count");
    unsigned small = count & 31;
    unsigned left = (unsigned)value << small;
    int right = (int)(value * 0x01010101u) >> small;
    unsigned long long wide = (unsigned long long)value << (count & 63);
    if (left == 0x80000000u)
        return 1;
    if (left == 0 && value != 0)
        return 2;
    if (right == -1)
        return 3;
    if (wide == 0x5500000000ull)
        return 4;
    if ((1u << small) & 0x10040u)
        return 5;
    return 0;
}
