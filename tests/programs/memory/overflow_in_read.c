// The kernel writes past a heap block without noticing: the pointer is good, the size is not.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char *bytes = malloc(10);
    int zeros = open("/dev/zero", O_RDONLY);
    return (int)read(zeros, bytes, 11); //~ heap buffer overflow: write of 11 bytes
}
