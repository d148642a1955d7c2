// Splits three characters into names, numbers and signs.
// domain: text char = '0' '9' 'a' 'z' ' ' '+' '_' 0 '/' ':' '`' '{'
// paths: 400
// findings: none
void klee_make_symbolic(void *, unsigned long, const char *);

static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

int main(void) {
    char text[4];
    klee_make_symbolic(text, 3, "text");
    text[3] = 0;
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
