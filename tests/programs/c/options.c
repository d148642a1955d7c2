// getopt and getopt_long over the command line, with permuted and missing arguments.
// args: -v -o out.txt --level=3 input -x --name Ada --verbose -abc second -- -last
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int flag;
static const struct option table[] = {{"level", required_argument, NULL, 'l'}, {"name", required_argument, NULL, 'n'},
                                      {"verbose", no_argument, &flag, 42},     {"maybe", optional_argument, NULL, 'm'},
                                      {"verbatim", no_argument, NULL, 'V'},    {NULL, 0, NULL, 0}};

static void parse(int count, char **words, const char *letters) {
    optind = 0;
    flag = 0;
    opterr = 0;
    int option, index = -1;
    while ((option = getopt_long(count, words, letters, table, &index)) != -1) {
        printf("[%c %d %s %d %c] ", option ? option : '0', flag, optarg ? optarg : "-", index, option == '?' ? (optopt > 32 && optopt < 127 ? optopt : '#') : '-');
        index = -1;
    }
    printf("rest:");
    for (int at = optind; at < count; at++)
        printf(" %s", words[at]);
    putchar('\n');
}

static void parse_short(int count, char **words, const char *letters) {
    optind = 0;
    int option;
    while ((option = getopt(count, words, letters)) != -1)
        printf("[%c %s] ", option, optarg ? optarg : "-");
    printf("rest from %d of %d\n", optind, count);
}

int main(int argc, char **argv) {
    printf("%d", argc);
    for (int index = 1; index < argc; index++)
        printf(" <%s>", argv[index]);
    printf(" %d\n", argv[argc] == NULL);
    char *copy[20];
    memcpy(copy, argv, sizeof *argv * (size_t)(argc + 1));
    parse(argc, copy, "vo:xabc");
    memcpy(copy, argv, sizeof *argv * (size_t)(argc + 1));
    parse(argc, copy, "+vo:x");
    memcpy(copy, argv, sizeof *argv * (size_t)(argc + 1));
    parse(argc, copy, "-vo:xabc");
    char *missing[] = {"program", "-o", NULL};
    parse(2, missing, ":o:");
    char *odd[] = {"program", "--maybe", "--maybe=so", "--lev", "9", "--verb", "--unknown", "--name", NULL};
    parse(8, odd, "");
    char *joined[] = {"program", "-ofile", "-vx", "-", "-o", "--", "--", "-v", NULL};
    parse_short(8, joined, "vxo:");
    char *optional[] = {"program", "-pvalue", "-p", "value", NULL};
    parse_short(4, optional, "p::");
    return 0;
}
