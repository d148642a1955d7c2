// Compares letters with each other, whatever their case.
// domain: text char = 'a' 'b' 'A' 'B' '0' '[' '@' '{' '`' 0
// paths: 79
// findings: none
void klee_make_symbolic(void *, unsigned long, const char *);

static char small(char letter) { return letter >= 'A' && letter <= 'Z' ? (char)(letter + 32) : letter; }

int main(void) {
    char text[4];
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0, j = 3; i < j; i++, j--)
        if (small(text[i]) != small(text[j]))
            return i;
    return 10;
}
