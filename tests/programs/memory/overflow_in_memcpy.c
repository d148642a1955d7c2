// Copies more than there is.
#include <string.h>

int main(void) {
    char from[8] = "1234567", to[16];
    memcpy(to, from, 16); //~ stack buffer overflow: read of 16 bytes
    return to[0];
}
