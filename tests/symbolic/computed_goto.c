// A table of labels, indexed by an input.
// paths: at least 7
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char code[2];
    klee_make_symbolic(code, sizeof code, "code");
    static void *const labels[4] = {&&add, &&twice, &&stop, &&add};
    int value = 1, at = 0;
next:
    if (at == 2)
        return value;
    goto *labels[code[at++] & 3];
add:
    value += 3;
    goto next;
twice:
    value *= 2;
    goto next;
stop:
    return value + 100;
}
