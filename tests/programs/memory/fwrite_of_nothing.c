// A library function crashes where a system call would fail with EFAULT, however large the block is.
#include <stdio.h>

static char *volatile nowhere;

int main(void) {
    return (int)fwrite(nowhere, 1, 100000, stdout); //~ null pointer dereference
}
