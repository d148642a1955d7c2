// Keeps a list sorted while two bytes are put into it, then takes one out.
// paths: 6
// findings: none
// exhaustive: yes
#include <stdlib.h>
void klee_make_symbolic(void *, unsigned long, const char *);

struct node {
    unsigned char value;
    struct node *next;
};

static struct node *head;

static void insert(unsigned char value) {
    struct node **place = &head;
    while (*place && (*place)->value < value)
        place = &(*place)->next;
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = *place;
    *place = node;
}

int main(void) {
    unsigned char bytes[2];
    klee_make_symbolic(bytes, sizeof bytes, "bytes");
    insert(100);
    insert(bytes[0]);
    insert(bytes[1]);
    int first = head->value == 100;
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return first;
}
