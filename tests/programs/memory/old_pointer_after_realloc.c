// Keeps using the address from before realloc.
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(4 * sizeof *numbers);
    int *first = numbers;
    numbers[0] = 5;
    numbers = realloc(numbers, 4096 * sizeof *numbers);
    int result = *first; //~ use after free
    free(numbers);
    return result;
}
