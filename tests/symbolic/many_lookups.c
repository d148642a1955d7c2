// Five thousand reads of a table at an input, none of which can be out of bounds: a path is not given up for asking often.
// paths: 2
// findings: none
// exhaustive: yes
// oracle: none
void klee_make_symbolic(void *, unsigned long, const char *);
static unsigned char table[256];

int main(void) {
    unsigned char index;
    klee_make_symbolic(&index, sizeof index, "index");
    for (int i = 0; i < 256; i++)
        table[i] = (unsigned char)(255 - i);
    unsigned sum = 0;
    for (int i = 0; i < 5000; i++)
        sum += table[(unsigned char)(index + i)];
    return index == 77 ? (int)(sum & 1) : 2;
}
