// Memory that one path frees is read later.
// paths: 6
// findings: use-after-free
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int *cells = calloc(4, sizeof *cells);
    cells[2] = x;
    if (x > 100 && x < 110)
        free(cells);
    int status = 0;
    if (x % 8 == 1)
        status = cells[2] == 105; //~ use-after-free
    if (x <= 100 || x >= 110)
        free(cells);
    return status;
}
