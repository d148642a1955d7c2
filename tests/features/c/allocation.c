// section: The C library and POSIX
// feature: `malloc` and its family
// executed: yes
#include <stdlib.h>
int f(unsigned count)
{
    if (count < 1 || count > 8)
        return -1;
    int *numbers = calloc(count, sizeof *numbers);
    if (!numbers)
        return -2;
    numbers[count - 1] = 5;
    int result = numbers[count / 2] == 5;
    free(numbers);
    return result;
}
