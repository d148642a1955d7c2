// Gives realloc a pointer that malloc never returned.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(16);
    char *larger = realloc(buffer + 4, 64); //~ invalid realloc
    free(larger);
    return 0;
}
