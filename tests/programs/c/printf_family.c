// The printf family on integers, characters, strings and pointers: flags, widths, lengths, truncation, results.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void integers(void) {
    const char *formats[] = {"%d|", "%5d|", "%-5d|", "%05d|", "%+d|", "% d|", "%.3d|", "%8.3d|", "%-8.3d|", "%+.0d|", "%08.3d|", "%'d|"};
    const int values[] = {0, 1, -1, 42, -42, 12345, -123456, INT_MAX, INT_MIN};
    for (int format = 0; format < 12; format++) {
        for (int value = 0; value < 9; value++)
            printf(formats[format], values[value]);
        putchar('\n');
    }
    const char *unsigned_formats[] = {"%u|", "%x|", "%X|", "%#x|", "%o|", "%#o|", "%#10x|", "%-#10o|", "%010x|", "%#.5x|", "%.0x|", "%#.0o|"};
    for (int format = 0; format < 12; format++) {
        for (int value = 0; value < 9; value++)
            printf(unsigned_formats[format], (unsigned)values[value]);
        putchar('\n');
    }
}

static void lengths(void) {
    printf("%hhd %hhu %hd %hu\n", 300, 300, 70000, 70000);
    printf("%ld %lu %lld %llu\n", LONG_MIN, ULONG_MAX, LLONG_MIN, ULLONG_MAX);
    printf("%zd %zu %td %jd %ju\n", (size_t)-1, (size_t)-1, (ptrdiff_t)-5, INTMAX_MIN, UINTMAX_MAX);
    printf("%" PRId8 " %" PRIx16 " %" PRIo32 " %" PRIX64 "\n", (int8_t)-3, (uint16_t)0xabcd, 0777u, UINT64_C(0xfedcba9876543210));
    printf("%lx %llo %hhx %hx\n", -1L, -1LL, -1, -1);
    printf("%qd %Lf\n", -1LL, 1.5L);
}

static void texts(void) {
    printf("[%s][%10s][%-10s][%.3s][%10.2s][%.0s][%.*s]\n", "text", "text", "text", "text", "text", "text", 2, "text");
    printf("[%c][%3c][%-3c][%c]\n", 'a', 'b', 'c', 'd');
    char unterminated[3] = {'x', 'y', 'z'};
    printf("[%.3s][%s][%.2s][%10s]\n", unterminated, (char *)NULL, (char *)NULL, (char *)NULL);
    printf("[%p][%10p][%-8p]\n", NULL, NULL, (void *)0xbeef);
    printf("100%% %m\n");
    printf("[%*d][%-*d][%*d][%.*d]\n", 6, 42, 6, 42, -6, 42, 5, 42);
    printf("[%2$s %1$d][%1$*3$d]\n", 3, "second", 4);
}

static void into_memory(void) {
    char buffer[16];
    int first, second;
    memset(buffer, '#', sizeof buffer);
    int needed = snprintf(buffer, 8, "%s-%d", "truncated", 12345);
    printf("%d [%s] [%c]\n", needed, buffer, buffer[8]);
    printf("%d %d\n", snprintf(NULL, 0, "%0100d", 7), snprintf(buffer, 1, "x"));
    printf("[%s] %d\n", buffer, sprintf(buffer, "%d%n%s%n", 1234, &first, "abc", &second));
    printf("%d %d %s\n", first, second, buffer);
    char *made;
    int length = asprintf(&made, "%s %*d %g", "made", 300, 1, 0.5);
    printf("%d %zu %.10s...%s\n", length, strlen(made), made, made + length - 5);
    free(made);
    dprintf(1, "%s", "");
    printf("%d\n", printf("%s", "counted\n"));
    fprintf(stdout, "%s %s\n", "to", "stdout");
    fprintf(stderr, "%s %d\n", "to stderr", 7);
    fflush(stdout);
}

int main(void) {
    errno = 0;
    integers();
    lengths();
    errno = ENOENT;
    texts();
    into_memory();
    puts("puts");
    fputs("fputs\n", stdout);
    putc('p', stdout);
    putchar_unlocked('u');
    fputc('\n', stdout);
    errno = EACCES;
    perror("perror");
    return 0;
}
