// Options that exclude each other when they are read, asked for together much later.
// flags: --sym-args 0 2 3
#include <stdio.h>
#include <string.h>

struct options { int quiet, verbose, lines; };

static int parse(struct options *options, int count, char **words) {
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "-q") == 0)
            options->quiet = 1;
        else if (strcmp(words[i], "-v") == 0)
            options->verbose = 1;
        else
            options->lines += words[i][0] == '+';
    }
    if (options->quiet && options->verbose)
        return 0;
    return 1;
}

static int report(const struct options *options) {
    if (!options->quiet)
        for (int i = 0; i < options->lines; i++)
            puts("line");
    if (options->verbose && options->quiet)
        return 1; //~ unreachable
    if (options->verbose && options->lines == 1)
        return 2; //~ reached
    return 0;
}

int main(int count, char **words) {
    struct options options = {0, 0, 0};
    if (!parse(&options, count, words))
        return 9;
    return report(&options);
}
