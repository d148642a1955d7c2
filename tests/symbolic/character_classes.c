// The functions of ctype.h on an input.
// paths: any
// findings: none
// exhaustive: yes
#include <ctype.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char letter;
    klee_make_symbolic(&letter, sizeof letter, "letter");
    if (letter > 127)
        return 9;
    if (isalpha(letter))
        return toupper(letter) == 'Q' ? 1 : 2;
    if (isxdigit(letter))
        return 3;
    if (isspace(letter))
        return 4;
    return ispunct(letter) ? 5 : 6;
}
