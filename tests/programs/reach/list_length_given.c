// A function that is given a linked list and looks for one of exactly three nodes with falling values.
// flags: --entry rank
#include <stddef.h>

struct node { int value; struct node *next; };

static int length(const struct node *list) {
    int count = 0;
    while (list && count < 4) {
        count++;
        list = list->next;
    }
    return count;
}

static int falling(const struct node *list) {
    for (; list && list->next; list = list->next)
        if (list->value <= list->next->value)
            return 0;
    return 1;
}

int rank(const struct node *list, int bonus) {
    if (length(list) != 3)
        return 0;
    if (falling(list) && list->next->next->value == bonus - 17)
        return bonus; //~ reached
    if (falling(list) && list->value < list->next->next->value)
        return -1; // no list comes here, which only a proof for objects of all sizes can say
    return 1;
}
