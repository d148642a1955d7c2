// A numeral of two letters in Roman figures.
// paths: 25
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

static int figure(char letter) {
    switch (letter) {
    case 'I':
        return 1;
    case 'V':
        return 5;
    case 'X':
        return 10;
    case 'L':
        return 50;
    }
    return 0;
}

int main(void) {
    char text[2];
    klee_make_symbolic(text, sizeof text, "text");
    int first = figure(text[0]), second = figure(text[1]);
    if (!first || !second)
        return 0;
    if (first >= second)
        return first + second;
    if (first * 10 < second || first == 5)
        return 0;
    return second - first;
}
