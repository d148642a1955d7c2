// Several facts about the bytes of an array, each gathered under a condition of its own.
#include <symcrete.h>

#define COUNT 40

struct facts { int balance, large, last; };

static void gather(struct facts *facts, const unsigned char *bytes, int i) {
    if (bytes[i] & 1)
        facts->balance++;
    else
        facts->balance--;
    if (bytes[i] > 200) {
        facts->large++;
        facts->last = i;
    }
}

int main(void) {
    unsigned char bytes[COUNT];
    struct facts facts = {0, 0, -1};
    symcrete_make_symbolic(bytes, sizeof bytes, "bytes");
    for (int i = 0; i < COUNT; i++)
        gather(&facts, bytes, i);
    if (facts.balance == 7)
        return 1; //~ unreachable
    if (facts.balance == 8 && facts.large == 21 && facts.last == 35)
        return 2; //~ reached
    return 0;
}
