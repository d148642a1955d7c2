// A matcher of patterns with . and * and both anchors; the pattern is the input.
// domain: pattern char = 0 '*' '.' '^' '$' 'a' 'b' 'c'
// paths: 86
// findings: none
void klee_make_symbolic(void *, unsigned long, const char *);

static int match_here(const char *pattern, const char *text);

static int match_star(char letter, const char *pattern, const char *text) {
    do {
        if (match_here(pattern, text))
            return 1;
    } while (*text != 0 && (*text++ == letter || letter == '.'));
    return 0;
}

static int match_here(const char *pattern, const char *text) {
    if (pattern[0] == 0)
        return 1;
    if (pattern[1] == '*')
        return match_star(pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == 0)
        return *text == 0;
    if (*text != 0 && (pattern[0] == '.' || pattern[0] == *text))
        return match_here(pattern + 1, text + 1);
    return 0;
}

static int match(const char *pattern, const char *text) {
    if (pattern[0] == '^')
        return match_here(pattern + 1, text);
    do {
        if (match_here(pattern, text))
            return 1;
    } while (*text++ != 0);
    return 0;
}

int main(void) {
    char pattern[4];
    klee_make_symbolic(pattern, 3, "pattern");
    pattern[3] = 0;
    return match(pattern, "abba") ? 1 : 0;
}
