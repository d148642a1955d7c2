// A handle that points to a pointer to a document, as memory managers that move blocks have it.
#include <symcrete.h>

struct document { char kind; int pages; struct document **next; };

static int count(struct document **handle, int *texts) {
    int pages = 0;
    for (; handle; handle = (*handle)->next) {
        pages += (*handle)->pages;
        if ((*handle)->kind == 't')
            ++*texts;
    }
    return pages;
}

int main(void) {
    struct document documents[3];
    struct document *masters[3];
    for (int i = 0; i < 3; i++) {
        unsigned place = symcrete_choice(3, "place");
        for (int j = 0; j < i; j++)
            symcrete_assume(masters[j] != &documents[place]);
        masters[i] = &documents[place];
        documents[place].kind = symcrete_char("kind");
        documents[place].pages = symcrete_range(1, 500, "pages");
        documents[place].next = i ? &masters[i - 1] : 0;
    }
    int texts = 0;
    int pages = count(&masters[2], &texts);
    if (texts == 2 && pages == 777 && (*masters[1]).kind == 'x' && masters[1] == &documents[2])
        return 1; //~ reached
    if (pages < 3)
        return 2; //~ unreachable
    return 0;
}
