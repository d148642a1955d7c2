// A program that uses stdio in ordinary ways. It runs on the C library and on the runtime, and must print the same.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// With optimisation these come inline from the headers, and with _FORTIFY_SOURCE under other names.
static void copy_by_byte(void)
{
    int byte;
    while ((byte = getc_unlocked(stdin)) != EOF && byte != '#') {
        putchar_unlocked(byte == 'a' ? 'A' : byte);
    }
    printf("\nat end: %d, error: %d\n", feof_unlocked(stdin), ferror_unlocked(stdin));
}

static void read_back(void)
{
    char line[64], word[32];
    int number = 0;
    double real = 0;
    printf("name? ");
    if (fgets(line, sizeof line, stdin) != NULL) {
        printf("line \"%s\" of %zu\n", line, strlen(line));
    }
    int count = scanf("%31s %d %lf", word, &number, &real);
    printf("%d: %s %d %.3f\n", count, word, number, real);
    int byte = getchar();
    ungetc(byte, stdin);
    printf("next %d again %d\n", byte, getchar());
}

static void print_numbers(void)
{
    char text[40];
    for (int i = 0; i < 300; i++) {
        printf("%4d %#6x %-8.3g|%+.2e|%s\n", i, i * 77, sqrt(i), exp(i / 3.0), i % 2 ? "odd" : "even");
        snprintf(text, sizeof text, "%d:%.10f", i, 1.0 / (i + 1));
        puts(text);
        if (i % 100 == 0) {
            fprintf(stderr, "[progress %d]", i);
        }
    }
    long double extended = 1.0L / 3;
    printf("%Lf %.20Lg %La\n", extended, extended, extended);
    sprintf(text, "%s", "checked");
    fputs(text, stdout);
    fputc('\n', stdout);
    putchar('x');
    putc('\n', stdout);
}

static void fail_as_usual(void)
{
    FILE *missing = fopen("/nonexistent/file", "r");
    if (missing == NULL) {
        int error = errno; // the C library's perror changes it
        perror("fopen");
        errno = error;
        printf("errno %d, %m\n", errno);
    }
    errno = 0;
    int result = fputs("to a stream for reading", stdin);
    printf("%d %d %d\n", result, errno, ferror(stdin) != 0);
    clearerr(stdin);
}

int main(int count, char **values)
{
    setvbuf(stderr, NULL, _IONBF, 0);
    printf("%d %s\n", count, count > 1 ? values[1] : "");
    fail_as_usual();
    read_back();
    print_numbers();
    copy_by_byte();
    fprintf(stderr, "before the last line\n");
    printf("left for exit to flush");
    return 3;
}
