// Splits LENGTH symbolic characters into names, numbers and signs.
//
// Number of paths: (7^(LENGTH + 1) - 1) / 6. Whatever came before, the tests of a character tell 8 kinds apart: a digit, a small
// letter, the underscore, a space, what lies below the digits, between digits and letters, or above the letters; and 0, which
// ends the text. So 7^k paths end at a 0 in place k, for each k below LENGTH, and 7^LENGTH paths at the end.
void klee_make_symbolic(void *, unsigned long, const char *);

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

int main(void) {
    char text[LENGTH + 1];
    klee_make_symbolic(text, LENGTH, "text");
    text[LENGTH] = 0;
    int names = 0, numbers = 0, signs = 0;
    const char *next = text;
    while (*next != 0) {
        if (is_digit(*next)) {
            numbers++;
            while (is_digit(*next))
                next++;
        } else if (is_letter(*next)) {
            names++;
            while (is_letter(*next) || is_digit(*next))
                next++;
        } else {
            if (*next != ' ')
                signs++;
            next++;
        }
    }
    return names * 25 + numbers * 5 + signs;
}
