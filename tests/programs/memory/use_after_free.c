// Reads from a list element that was freed.
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

int main(void) {
    struct item *item = malloc(sizeof *item);
    item->value = 42;
    item->next = NULL;
    free(item);
    return item->value; //~ use after free: read of 4 bytes
}
