// Frees a local variable.
#include <stdlib.h>

int main(void) {
    int number = 7;
    int *pointer = &number;
    free(pointer); //~ invalid free
    return number;
}
