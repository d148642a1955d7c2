// Prints the lines of its standard input that contain a word given as argument: two symbolic bytes of argument, six of input.
//
// Number of paths: counted by running all arguments and inputs over 0, the end of a line, and three letters. A letter of the
// input is compared with nothing but 0, the end of a line and the two letters of the argument, so that a third one stands for
// all that differ from both.
// flags: --sym-args 1 1 2 --sym-stdin 6
// domain: arg0 char = 0 '\n' 'a' 'b' 'c'
// domain: stdin char = 0 '\n' 'a' 'b' 'c'
// paths: 1378
// findings: none
#include <stdio.h>

static int contains(const char *line, int length, const char *word) {
    for (int start = 0; start <= length; start++) {
        int i = 0;
        while (word[i] != 0 && start + i < length && line[start + i] == word[i])
            i++;
        if (word[i] == 0)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    char line[64];
    int length = 0, found = 0, c;
    if (argc != 2)
        return 2;
    do {
        c = getchar();
        if (c != EOF && c != '\n' && length < 64) {
            line[length++] = (char)c;
            continue;
        }
        found += contains(line, length, argv[1]);
        length = 0;
    } while (c != EOF);
    printf("%d\n", found);
    return found > 0 ? 0 : 1;
}
