// What was freed is still mapped, so the kernel writes to it.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *bytes = malloc(10);
    int zeros = open("/dev/zero", O_RDONLY);
    free(bytes);
    return (int)read(zeros, bytes, 4); //~ use after free: write of 4 bytes
}
