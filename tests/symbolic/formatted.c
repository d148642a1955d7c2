// Formats an input and looks at the text; the text must be that of native runs.
// paths: any
// findings: none
// exhaustive: yes
#include <stdio.h>
#include <string.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    signed char number;
    klee_make_symbolic(&number, sizeof number, "number");
    char text[16];
    int length = snprintf(text, sizeof text, "%d", number);
    if (strcmp(text, "-77") == 0)
        return 50;
    printf("%s has %d characters\n", text, length);
    return length;
}
