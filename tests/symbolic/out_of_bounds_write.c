// Writes one past the end of the heap's memory, for one value of one input.
// paths: 3
// findings: out-of-bounds
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char index, value;
    klee_make_symbolic(&index, sizeof index, "index");
    klee_make_symbolic(&value, sizeof value, "value");
    unsigned char *cells = calloc(20, 1);
    if (index > 20)
        index = 0;
    cells[index] = value; //~ out-of-bounds
    int status = cells[7] == 42 ? 1 : 0;
    free(cells);
    return status;
}
