// An array that must hold a permutation of 0 to 4 with one cycle.
#include <symcrete.h>

#define N 5

static int is_permutation(const unsigned char *table) {
    unsigned seen = 0;
    for (int i = 0; i < N; i++) {
        if (table[i] >= N)
            return 0;
        seen |= 1u << table[i];
    }
    return seen == (1u << N) - 1;
}

static int cycle_length(const unsigned char *table) {
    int length = 0;
    unsigned at = 0;
    do {
        at = table[at];
        length++;
    } while (at != 0);
    return length;
}

int main(void) {
    unsigned char table[N];
    symcrete_make_symbolic(table, sizeof table, "table");
    if (!is_permutation(table))
        return 0;
    int length = cycle_length(table);
    if (length == N && table[2] == 4)
        return 1; //~ reached
    if (length > N)
        return 2; //~ unreachable
    return 0;
}
