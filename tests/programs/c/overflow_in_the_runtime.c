// The C runtime may let its own signed arithmetic wrap: with --overflow, only what the program computes itself is a finding.
// flags: --overflow
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}

int main(void) {
    int numbers[] = {5, 3, 9, 1};
    for (unsigned seed = 1; seed < 4000000000u; seed = seed * 7 + 12345) {
        srand(seed);
        if (rand() < 0 || random() < 0)
            return 1;
        if (seed > 0x80000000u)
            break;
    }
    srand((unsigned)time(NULL));
    srandom(0xfffffff3u);
    srand48(-1);
    lrand48();
    qsort(numbers, 4, sizeof *numbers, compare);
    printf("%d %d\n", numbers[0], numbers[3]);
    printf("%ld %ld %d\n", strtol("-9223372036854775808", NULL, 10), strtol("99999999999999999999", NULL, 10), atoi("-2147483648"));
    printf("%d %lld %g %.3e\n", -2147483647 - 1, -9223372036854775807LL - 1, 1e308, 5e-324);
    struct tm then = {.tm_year = 70000, .tm_mon = 100000, .tm_mday = -100000};
    printf("%d\n", mktime(&then) != 0);
    return 0;
}
