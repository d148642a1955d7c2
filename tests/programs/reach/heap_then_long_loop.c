// A table of records is read from a text and kept on the heap; what one of them says is counted up far behind that.
#include <stdlib.h>
#include <string.h>
#include <symcrete.h>

struct record { unsigned count; int kind; struct record *next; };

static struct record *parse(const char *text) {
    struct record *list = NULL;
    while (*text) {
        if (*text < 'a' || *text > 'd')
            return NULL;
        struct record *one = malloc(sizeof *one);
        if (!one)
            return NULL;
        one->kind = *text - 'a';
        one->count = symcrete_uint("count");
        one->next = list;
        list = one;
        text++;
    }
    return list;
}

static unsigned total(unsigned rounds) {
    unsigned sum = 0;
    while (rounds > 0) {
        rounds--;
        sum += 3;
    }
    return sum;
}

int main(void) {
    char text[4];
    symcrete_make_symbolic(text, sizeof text, "text");
    text[3] = 0;
    struct record *list = parse(text);
    if (!list || !list->next || !list->next->next)
        return 0;
    unsigned rounds = list->next->count;
    if (list->kind != 2 || rounds < 5)
        return 1;
    if (total(rounds) == 300000)
        return 2; //~ reached
    return 3;
}
