// One memory, read as bytes, as a number and as halves.
// paths: 3
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

union word {
    unsigned char bytes[4];
    unsigned short halves[2];
    unsigned number;
    struct {
        unsigned low : 12, high : 20;
    } parts;
};

int main(void) {
    union word word = {.number = 0x11223344};
    klee_make_symbolic(&word.halves[0], 2, "low half");
    if (word.parts.low == 0xabc)
        return word.bytes[1] == 0x1a ? 1 : 2;
    word.bytes[3] = word.bytes[0];
    if (word.number > 0xf0000000u)
        return word.halves[1] == 0xff22 ? 3 : 4;
    return word.bytes[0] == word.bytes[1] ? 5 : 6;
}
