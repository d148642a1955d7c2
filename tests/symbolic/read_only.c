// A table of strings, one of which may not be written to.
// oracle: none
// paths: at least 2
// findings: write-to-read-only
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    char own[] = "mine";
    char *word = own;
    if (x == 200)
        word = "literal";
    word[0] = 'M'; //~ write-to-read-only
    return own[0] == 'M' ? 1 : 0;
}
