// Forgets an allocation; reported where the user asks for it.
// flags: --leaks
#include <stdlib.h>

int main(void) {
    char *kept = malloc(100); //~ memory leak: 100 bytes in 1 allocation
    return kept == 0;
}
