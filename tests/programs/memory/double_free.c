// Frees twice.
#include <stdlib.h>

int main(void) {
    char *buffer = malloc(8);
    free(buffer);
    free(buffer); //~ double free
    return 0;
}
