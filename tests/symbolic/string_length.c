// The length of a string of inputs, by the C library.
// paths: any
// findings: none
// exhaustive: yes
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    char text[3] = "";
    klee_make_symbolic(text, 2, "text");
    size_t length = strlen(text);
    if (length == 2 && text[0] == text[1])
        return 9;
    return (int)length;
}
