// What malloc and its family do when there is no memory.
// 64-bit: the sizes are those of a 64-bit machine
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    volatile size_t huge = SIZE_MAX / 4;
    errno = 0;
    printf("%d", malloc(huge) == NULL);
    printf(" %s\n", strerror(errno));
    errno = 0;
    printf("%d", calloc(huge, 16) == NULL);
    printf(" %s\n", strerror(errno));
    char *kept = malloc(8);
    strcpy(kept, "kept");
    errno = 0;
    printf("%d", realloc(kept, huge) == NULL);
    printf(" %s, and %s\n", strerror(errno), kept);
    free(kept);
    return 0;
}
