// Standard input by characters: frequencies, run lengths, a small tokenizer with ungetc, freopen onto a file.
// input: aaabccdddd  x1+22*(foo_3-4)/5 zz\nEnd.\n
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run_lengths(FILE *in) {
    int previous = getc(in), count = 1, current;
    for (; previous != ' ' && (current = getc(in)) != EOF; previous = current)
        if (current == previous) {
            count++;
        } else {
            printf("%c%d", previous, count);
            count = 1;
        }
    putchar('\n');
}

static int token(FILE *in, char *out) {
    int character;
    while ((character = fgetc(in)) == ' ')
        ;
    if (character == EOF)
        return 0;
    int (*class)(int) = isdigit(character) ? isdigit : isalpha(character) ? isalnum : NULL;
    do
        *out++ = (char)character;
    while (class && ((class(character = fgetc(in))) || (class == isalnum && character == '_')));
    if (class)
        ungetc(character, in);
    *out = 0;
    return 1;
}

int main(void) {
    run_lengths(stdin);
    char text[32];
    int counts[128] = {0};
    while (token(stdin, text)) {
        printf("<%s>", text[0] == '\n' ? "newline" : text);
        counts[(unsigned char)text[0]]++;
    }
    for (int character = 0; character < 128; character++)
        if (counts[character] > 1)
            printf(" %d:%d", character, counts[character]);
    printf("\n%d %d\n", getchar(), feof(stdin) != 0);
    char path[] = "/tmp/symcrete-test-XXXXXX";
    int file = mkstemp(path);
    if (write(file, "from a file\n", 12) != 12 || close(file) != 0)
        return 1;
    if (!freopen(path, "r", stdin))
        return 2;
    printf("%s", fgets(text, sizeof text, stdin));
    remove(path);
    return 0;
}
