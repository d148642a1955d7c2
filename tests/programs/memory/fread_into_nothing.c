// A library function crashes where a system call would fail with EFAULT.
#include <stdio.h>

static char *volatile nowhere;

int main(void) {
    FILE *file = fopen("/dev/zero", "r");
    return (int)fread(nowhere, 1, 4, file); //~ null pointer dereference
}
