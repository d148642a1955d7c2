// Writes before the start of an allocation.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(16);
    char *before = buffer - 1;
    *before = 'x'; //~ 1 byte before a heap allocation of 16 bytes
    free(buffer);
    return 0;
}
