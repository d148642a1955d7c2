// Follows a null pointer.
#include <stddef.h>

struct point {
    int x, y;
};

static int get(const struct point *point) {
    return point->y; //~ null pointer dereference: read of 4 bytes
}

int main(int argc, char **argv) {
    (void)argv;
    return get(argc > 100 ? (struct point *)&argc : NULL);
}
