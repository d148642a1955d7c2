// Counts lines, words and characters of its standard input, with one kind of byte more than word_count.c, for more than one job.
//
// Number of paths: a byte is a new line, a space, a tab, a carriage return, or a letter. Whether a letter begins a word is known
// from the byte before. So 5^8 paths; counted as well by running all texts over five such bytes.
// flags: --sym-stdin 8
// domain: stdin char = '\n' ' ' '\t' '\r' 'x'
// paths: 390625
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
        } else if (c == '\r') {
            in_word = 0;
        } else if (!in_word) {
            words++;
            in_word = 1;
        }
    }
    printf("%d %d %d\n", lines, words, characters);
    return 0;
}
