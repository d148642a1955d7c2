// Objects of the heap are apart from each other; new ones may be zero.
#include <stdlib.h>
#include <symcrete.h>

struct node { int value; struct node *next; };

int main(void) {
    int x = symcrete_int("x"), y = symcrete_int("y");
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 9;
    a->value = x;
    b->value = y;
    a->next = b;
    b->next = NULL;
    if (a->value != x)
        return 1; //~ unreachable
    if (a->next->value != y)
        return 2; //~ unreachable
    struct node *c = calloc(1, sizeof *c);
    if (!c)
        return 8;
    if (c->value)
        return 3; //~ unreachable
    c->value = 5;
    if (a->value + b->value == 17 && a->value > 100 && c->value == 5)
        return 4; //~ reached
    if (c->value != 5 || b->next)
        return 5; //~ unreachable
    free(a);
    free(b);
    free(c);
    return 0;
}
