// Two pointers to pointers that may lead to the same structure.
// flags: --entry swap_and_test
#include <stddef.h>

struct box { int width, height; };

int swap_and_test(struct box **left, struct box **right) {
    if (!left || !right || !*left || !*right)
        return 0;
    struct box *old = *left;
    *left = *right;
    *right = old;
    (*left)->width = 3;
    (*right)->height = 5;
    if ((*left)->height == 40 && (*right)->width == 60)
        return 1; //~ reached
    if (*left == *right && left != right)
        return 2; //~ reached
    return 3;
}
