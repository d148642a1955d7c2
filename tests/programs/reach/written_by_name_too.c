// A function that writes through its pointer, and a variable to which no pointer leads.
#include <symcrete.h>

static int seen;

static void note(int *to, int value) {
    *to = value;
    if (value == 7919)
        seen++;
}

int main(void) {
    int last = 0;
    note(&last, symcrete_int("first"));
    note(&last, symcrete_int("second"));
    if (seen == 2)
        return 1; //~ reached
    if (seen == 1 && last == 7919)
        return 2; //~ reached
    if (seen == 3)
        return 3; //~ unreachable
    return 0;
}
