// The scanf family: every conversion, suppression, widths, sets, failures, and standard input.
// input: 17 -4 0x1f word 3.25 c 12:34:56 [inside] rest of the line\nnext 99\n
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void integers(void) {
    int a = 0, b = 0, c = 0, read;
    unsigned u = 0, o = 0, x = 0;
    read = sscanf("12 -34 +56", "%d %d%d", &a, &b, &c);
    printf("%d: %d %d %d\n", read, a, b, c);
    read = sscanf("0x1F 017 19", "%i %i %i", &a, &b, &c);
    printf("%d: %d %d %d\n", read, a, b, c);
    read = sscanf("4000000000 777 ffFF", "%u %o %x", &u, &o, &x);
    printf("%d: %u %u %u\n", read, u, o, x);
    signed char tiny = 0;
    short small = 0;
    long large = 0;
    long long larger = 0;
    size_t size = 0;
    read = sscanf("-100 -30000 -5000000000 9000000000000000000 77", "%hhd %hd %ld %lld %zu", &tiny, &small, &large, &larger, &size);
    printf("%d: %d %d %ld %lld %zu\n", read, tiny, small, large, larger, size);
    read = sscanf("123456789", "%3d%2d%4d", &a, &b, &c);
    printf("%d: %d %d %d\n", read, a, b, c);
    int64_t wide = 0;
    read = sscanf("-9223372036854775807,x", "%" SCNd64 ",%d", &wide, &a);
    printf("%d: %" PRId64 "\n", read, wide);
}

static void failures(void) {
    int a = -1, b = -1;
    printf("%d ", sscanf("", "%d", &a));
    printf("%d ", sscanf("   ", "%d", &a));
    printf("%d ", sscanf("abc", "%d", &a));
    printf("%d ", sscanf("12abc", "%d%d", &a, &b));
    printf("%d ", sscanf("5,6", "%d;%d", &a, &b));
    printf("%d ", sscanf("5,6", "%d,%d", &a, &b));
    printf("%d %d\n", a, b);
}

static void texts(void) {
    char first[20] = "", second[20] = "", third[20] = "", character = 0;
    int position = 0, read;
    read = sscanf("  hello world!", "%s %5s%c", first, second, &character);
    printf("%d: [%s] [%s] [%c]\n", read, first, second, character);
    read = sscanf("key = value with spaces;tail", "%[a-z] = %[^;]%n", first, second, &position);
    printf("%d: [%s] [%s] %d\n", read, first, second, position);
    read = sscanf("aaabbbccc", "%[a]%*[b]%s", first, second);
    printf("%d: [%s] [%s]\n", read, first, second);
    read = sscanf("]x-y", "%[]x]%1[-]%s", first, second, third);
    printf("%d: [%s] [%s] [%s]\n", read, first, second, third);
    read = sscanf("abcdef", "%3c%s", first, second);
    printf("%d: [%.3s] [%s]\n", read, first, second);
    read = sscanf("50% off", "%d%% %s", &position, first);
    printf("%d: %d [%s]\n", read, position, first);
}

static void reals(void) {
    float single = 0;
    double a = 0, b = 0, c = 0;
    int read = sscanf("1.5 -2.5e3 0x1.8p1 inf", "%f %lf %lg %le", &single, &a, &b, &c);
    printf("%d: %g %g %g %g\n", read, single, a, b, c);
    read = sscanf("3.14159 1e 2", "%4lf%lf", &a, &b);
    printf("%d: %g %g\n", read, a, b);
    read = sscanf(".5 5. -nan", "%lf %lf %lf", &a, &b, &c);
    printf("%d: %g %g %g\n", read, a, b, c);
}

int main(void) {
    integers();
    failures();
    texts();
    reals();
    int a, b, hour, minute, second, number;
    unsigned x;
    double real;
    char word[20], character, line[40], inside[20];
    int read = scanf("%d %d %x %19s %lf %c", &a, &b, &x, word, &real, &character);
    printf("%d: %d %d %x %s %g %c\n", read, a, b, x, word, real, character);
    read = scanf("%d:%d:%d [%19[^]]]", &hour, &minute, &second, inside);
    printf("%d: %d %d %d %s\n", read, hour, minute, second, inside);
    printf("[%s]", fgets(line, sizeof line, stdin));
    read = fscanf(stdin, "%19s%d", word, &number);
    printf("%d: %s %d\n", read, word, number);
    read = scanf("%d", &number);
    printf("%d %d\n", read, feof(stdin) != 0);
    return 0;
}
