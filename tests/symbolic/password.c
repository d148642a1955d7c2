// A comparison with a fixed word by the C library.
// paths: any
// findings: none
// exhaustive: yes
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    char text[3] = "";
    klee_make_symbolic(text, 2, "text");
    if (strcmp(text, "ok") == 0)
        return 1;
    if (strncmp(text, "on", 1) == 0)
        return strchr(text, 'x') != NULL ? 2 : 3;
    return memcmp(text, "zz", 2) > 0 ? 4 : 5;
}
