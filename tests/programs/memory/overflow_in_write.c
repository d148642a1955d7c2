// The kernel reads past a variable and tells the world.
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argv;
    char secret[4] = "abc";
    return (int)write(1, secret, 4 + (unsigned)argc) == 0; //~ stack buffer overflow: read of 5 bytes
}
