// Reads one byte more than there is: the end of the input is seen.
// flags: --sym-stdin 2
// paths: 13
// findings: none
// exhaustive: yes
#include <stdio.h>

int main(void) {
    int count = 0, capitals = 0, c;
    while ((c = getchar()) != EOF) {
        count++;
        if (c >= 'A' && c <= 'Z')
            capitals++;
        if (c == '\n')
            break;
    }
    return count * 10 + capitals;
}
