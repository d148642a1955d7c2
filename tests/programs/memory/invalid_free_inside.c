// Frees a pointer into the middle of an allocation.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(32);
    free(buffer + 8); //~ invalid free
    return 0;
}
