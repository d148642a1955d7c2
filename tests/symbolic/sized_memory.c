// Sizes that are inputs, by calloc and realloc: too large ones fail, zero bytes are zero, what was written survives a move.
// paths: any
// findings: out-of-bounds
// exhaustive: yes
// oracle: none
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    short count;
    short more;
    klee_make_symbolic(&count, sizeof count, "count");
    klee_make_symbolic(&more, sizeof more, "more");
    int *numbers = calloc(count, sizeof *numbers);
    if (numbers == NULL)
        return count < 0 ? 1 : 2;
    if (count < 3) {
        free(numbers);
        return 3;
    }
    if (numbers[2] != 0)
        return 4;
    numbers[1] = 7;
    if (more <= 0) {
        free(numbers);
        return 5;
    }
    int *moved = realloc(numbers, more * sizeof *moved);
    if (moved == NULL) {
        free(numbers);
        return 6;
    }
    int status = moved[1] == 7 ? 0 : 8; //~ out-of-bounds
    free(moved);
    return status;
}
