// Reads the file A, whose two bytes are inputs.
// flags: --sym-files 1 2
// paths: 4
// findings: none
// exhaustive: yes
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    unsigned char bytes[4];
    int file = open("A", O_RDONLY);
    if (file < 0)
        return 90;
    if (read(file, bytes, sizeof bytes) != 2)
        return 91;
    close(file);
    if (bytes[0] == 0x1f && bytes[1] == 0x8b)
        return 1; // the beginning of a compressed file
    if (bytes[0] == '#')
        return bytes[1] == '!' ? 2 : 3;
    return 0;
}
