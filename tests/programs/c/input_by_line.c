// Standard input by lines: counts, the longest, sums of the numbers, getline and an unterminated last line.
// input: first line\n\n12 apples and 30 pears\nthe third, much longer line of this input has some more words in it\n  indented 5\nlast without an end
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char short_buffer[8];
    printf("[%s]", fgets(short_buffer, sizeof short_buffer, stdin));
    printf("[%s]\n", fgets(short_buffer, sizeof short_buffer, stdin));
    char *line = NULL, *longest = NULL;
    size_t capacity = 0;
    ssize_t length;
    int lines = 0, words = 0;
    long sum = 0;
    while ((length = getline(&line, &capacity, stdin)) != -1) {
        lines++;
        if (line[length - 1] == '\n')
            line[--length] = 0;
        int inside = 0;
        for (char *at = line; *at;) {
            if (isdigit((unsigned char)*at)) {
                sum += strtol(at, &at, 10);
                inside = 1;
                words += 1;
                continue;
            }
            words += isalpha((unsigned char)*at) && !inside;
            inside = isalpha((unsigned char)*at) != 0;
            at++;
        }
        if (!longest || strlen(longest) < (size_t)length) {
            free(longest);
            longest = strdup(line);
        }
        printf("%zd: %s\n", length, line);
    }
    printf("%d lines, %d words, sum %ld, longest %s, end %d\n", lines, words, sum, longest, feof(stdin) != 0);
    free(line);
    free(longest);
    return 0;
}
