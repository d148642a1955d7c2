// A matcher of regular expressions after the plan of Kernighan and Pike's; the pattern is seven symbolic bytes.
//
// Number of paths: counted by running every pattern over 0, the four signs, the letters of the text and another letter. Nothing
// else is ever compared with a byte of the pattern, so that these stand for all 256.
// domain: pattern char = 0 '*' '.' '^' '$' 'a' 'b' 'z'
// paths: 2331
// findings: none
void klee_make_symbolic(void *, unsigned long, const char *);

static int match_here(const char *pattern, const char *text);

static int match_star(char letter, const char *pattern, const char *text) {
    for (;;) {
        if (match_here(pattern, text))
            return 1;
        if (*text == 0)
            return 0;
        if (letter != '.' && letter != *text)
            return 0;
        text++;
    }
}

static int match_here(const char *pattern, const char *text) {
    if (pattern[0] == 0)
        return 1;
    if (pattern[1] == '*')
        return match_star(pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == 0)
        return *text == 0;
    if (*text == 0)
        return 0;
    if (pattern[0] == '.' || pattern[0] == *text)
        return match_here(pattern + 1, text + 1);
    return 0;
}

static int match(const char *pattern, const char *text) {
    if (pattern[0] == '^')
        return match_here(pattern + 1, text);
    for (;; text++) {
        if (match_here(pattern, text))
            return 1;
        if (*text == 0)
            return 0;
    }
}

int main(void) {
    char pattern[8];
    klee_make_symbolic(pattern, 7, "pattern");
    pattern[7] = 0;
    return match(pattern, "abb");
}
