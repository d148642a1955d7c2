// Bytes that functions of the C library compare and search.
// paths: at least 4
// findings: none
// exhaustive: yes
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    char bytes[2];
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    int order = memcmp(bytes, "ok", 2);
    if (order == 0)
        return 1;
    if (memchr(bytes, '/', 2) != NULL)
        return order < 0 ? 2 : 3;
    char text[3] = {bytes[0], bytes[1], 0};
    if (strcmp(text, "no") == 0)
        return 4;
    return strncmp(text, "a", 1) <= 0 ? 5 : 6;
}
