// The C runtime calls the program's own comparison, and that overflows.
// flags: --overflow
#include <limits.h>
#include <stdlib.h>

static int compare(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right; //~ signed integer overflow
}

int main(void) {
    int numbers[] = {INT_MAX, -2};
    qsort(numbers, 2, sizeof *numbers, compare);
    return numbers[0];
}
