// Decodes two letters of base 64 to one byte.
// paths: 87
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int value_of(char letter) {
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    if (letter == '+')
        return 62;
    return letter == '/' ? 63 : -1;
}

int main(void) {
    char text[2];
    klee_make_symbolic(text, sizeof text, "text");
    int high = value_of(text[0]), low = value_of(text[1]);
    if (high < 0 || low < 0)
        return 1;
    if (low & 15)
        return 2; // bits that belong to no byte
    return (high << 2 | low >> 4) == 'k' ? 3 : 0;
}
