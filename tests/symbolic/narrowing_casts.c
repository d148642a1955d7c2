// Two bytes as one number, cut down and widened again with and without its sign.
// paths: 5
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    short number;
    klee_make_symbolic(&number, sizeof number, "number");
    signed char low = (signed char)number;
    unsigned char high = (unsigned char)((unsigned short)number >> 8);
    if (low == number)
        return low < 0 ? 1 : 2;
    if ((short)(unsigned char)number == number)
        return 3;
    if ((unsigned)low > 0xffffff80u)
        return (long)high * 3 > 700 ? 4 : 5;
    if ((unsigned short)(number << 4) >> 4 == (unsigned short)number)
        return 6;
    return 7;
}
