// An array on the stack whose length is an input.
// paths: at least 24
// findings: out-of-bounds
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char length, index;
    klee_make_symbolic(&length, sizeof length, "length");
    klee_make_symbolic(&index, sizeof index, "index");
    length = (length & 7) + 1;
    index &= 15;
    unsigned short cells[length];
    for (int i = 0; i < length; i++)
        cells[i] = (unsigned short)(i * i);
    if (index > length)
        return 1;
    return cells[index]; //~ out-of-bounds
}
