// Reallocates what was freed.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(16);
    free(buffer);
    buffer = realloc(buffer, 64); //~ invalid realloc
    return buffer == 0;
}
