// Two sorted lists merged into one; the shape of the result tells how they were interleaved.
#include <stddef.h>
#include <symcrete.h>

struct node { int value; int from; struct node *next; };

static struct node *merge(struct node *a, struct node *b) {
    struct node *head = NULL, **end = &head;
    while (a && b) {
        struct node **smaller = b->value < a->value ? &b : &a;
        *end = *smaller;
        end = &(*smaller)->next;
        *smaller = *end;
    }
    *end = a ? a : b;
    return head;
}

int main(void) {
    struct node nodes[6];
    for (int i = 0; i < 6; i++) {
        nodes[i].value = symcrete_int("value");
        nodes[i].from = i / 3;
        nodes[i].next = i % 3 == 2 ? NULL : &nodes[i + 1];
        if (i % 3)
            symcrete_assume(nodes[i - 1].value <= nodes[i].value);
    }
    int order = 0, sorted = 1;
    for (struct node *node = merge(&nodes[0], &nodes[3]); node; node = node->next) {
        order = order * 2 + node->from;
        if (node->next && node->next->value < node->value)
            sorted = 0;
    }
    if (order == 0x2c)
        return 1; //~ reached
    if (!sorted)
        return 2; //~ unreachable
    return 0;
}
