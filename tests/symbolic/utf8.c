// Decodes two bytes as UTF-8, strictly.
// flags: --sym-stdin 2
// paths: 12
// findings: none
// exhaustive: yes
#include <unistd.h>

int main(void) {
    unsigned char bytes[2];
    if (read(0, bytes, 2) != 2)
        return 99;
    int letters = 0;
    for (int i = 0; i < 2;) {
        unsigned char lead = bytes[i++];
        int more;
        if (lead < 0x80)
            more = 0;
        else if (lead < 0xc2)
            return 10; // a continuation, or longer than needed
        else if (lead < 0xe0)
            more = 1;
        else if (lead < 0xf0)
            more = 2;
        else if (lead < 0xf5)
            more = 3;
        else
            return 11;
        if (i + more > 2)
            return 12;
        while (more-- > 0)
            if ((bytes[i++] & 0xc0) != 0x80)
                return 13;
        letters++;
    }
    return letters;
}
