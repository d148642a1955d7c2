// A size of memory that is an input, with a write at its end that does not always fit.
// paths: at least 4
// findings: out-of-bounds
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char size, index;
    klee_make_symbolic(&size, sizeof size, "size");
    klee_make_symbolic(&index, sizeof index, "index");
    size &= 31;
    unsigned char *memory = malloc(size + 1);
    if (memory == NULL)
        return 3;
    if (index > size + 1 || index == 0)
        index = 0;
    memory[index] = size; //~ out-of-bounds
    int status = memory[index] == 31;
    free(memory);
    return status;
}
