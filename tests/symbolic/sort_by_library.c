// qsort of three bytes by a comparison of the program.
// domain: bytes uchar = 0..2
// paths: any
// findings: none
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

static int compare(const void *left, const void *right) {
    return *(const unsigned char *)left - *(const unsigned char *)right;
}

int main(void) {
    unsigned char bytes[3];
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    qsort(bytes, 3, 1, compare);
    return bytes[0] > bytes[1] || bytes[1] > bytes[2];
}
