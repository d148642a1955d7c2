// Counts lines, words and characters of its standard input, a whole program with six symbolic bytes.
//
// Number of paths: a byte is a new line, a space, a tab, or a letter. Whether a letter begins a word is known from the byte
// before. So 4^6 paths; counted as well by running all texts over four such bytes and a fifth.
// flags: --sym-stdin 6
// domain: stdin char = '\n' ' ' '\t' 'x' 255
// paths: 4096
// findings: none
#include <stdio.h>

int main(void) {
    int lines = 0, words = 0, characters = 0, in_word = 0, c;
    while ((c = getchar()) != EOF) {
        characters++;
        if (c == '\n') {
            lines++;
            in_word = 0;
        } else if (c == ' ') {
            in_word = 0;
        } else if (c == '\t') {
            in_word = 0;
        } else if (!in_word) {
            words++;
            in_word = 1;
        }
    }
    printf("%d %d %d\n", lines, words, characters);
    return 0;
}
