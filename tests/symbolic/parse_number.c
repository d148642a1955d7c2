// Numbers of two characters, by strtol in three bases.
// paths: any
// findings: none
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    char text[3] = "", *end;
    klee_make_symbolic(text, 2, "text");
    long decimal = strtol(text, &end, 10);
    if (end == text)
        return 1;
    if (decimal == 42)
        return 2;
    if (decimal < 0)
        return 3;
    if (strtol(text, NULL, 16) == 0x42)
        return 4; // 42 is decimal as well
    if (atoi(text) != decimal)
        return 99; // never
    return *end == 0 ? 5 : 6;
}
