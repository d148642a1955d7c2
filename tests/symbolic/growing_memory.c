// Memory that grows by realloc as long as there is input.
// paths: 16
// findings: none
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    unsigned char bytes[2];
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    unsigned char *kept = NULL;
    int used = 0, room = 0;
    for (int i = 0; i < 6; i++) {
        unsigned char byte = (unsigned char)(bytes[i & 1] + i);
        if (byte % 3 == 0)
            continue;
        if (used == room) {
            room += 2;
            kept = realloc(kept, (size_t)room);
        }
        kept[used++] = byte;
    }
    int last = used > 0 ? kept[used - 1] & 1 : 9;
    free(kept);
    return used * 10 + last;
}
