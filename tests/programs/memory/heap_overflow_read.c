// Reads one element past the end of a heap array.
#include <stdlib.h>

int main(void) {
    int *numbers = malloc(10 * sizeof *numbers);
    int sum = 0;
    for (int i = 0; i < 10; i++)
        numbers[i] = i;
    for (int i = 0; i <= 10; i++)
        sum += numbers[i]; //~ heap buffer overflow: read of 4 bytes
    free(numbers);
    return sum;
}
