// A linked list built from numbers until one is zero; its length and its sum are looked at.
#include <stdlib.h>
#include <symcrete.h>

struct node { int value; struct node *next; };

static struct node *read_list(int most) {
    struct node *head = NULL, **end = &head;
    for (int i = 0; i < most; i++) {
        int value = symcrete_int("value");
        if (value == 0)
            break;
        struct node *node = malloc(sizeof *node);
        if (!node)
            exit(1);
        node->value = value;
        node->next = NULL;
        *end = node;
        end = &node->next;
    }
    return head;
}

static int length(const struct node *list) {
    int count = 0;
    for (; list; list = list->next)
        count++;
    return count;
}

int main(void) {
    struct node *list = read_list(8);
    int count = length(list), sum = 0;
    for (struct node *node = list; node; node = node->next)
        sum += node->value;
    if (count == 5 && sum == 12345 && list->next->value < 0)
        return 1; //~ reached
    if (count > 8)
        return 2; //~ unreachable
    return 0;
}
