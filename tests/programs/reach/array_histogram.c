// Counts of the values of an array, indexed by inputs.
#include <symcrete.h>

int main(void) {
    unsigned char rolls[6];
    int counts[6] = {0};
    symcrete_make_symbolic(rolls, sizeof rolls, "rolls");
    for (unsigned i = 0; i < sizeof rolls; i++) {
        symcrete_assume(rolls[i] >= 1 && rolls[i] <= 6);
        counts[rolls[i] - 1]++;
    }
    int pairs = 0, triples = 0;
    for (int face = 0; face < 6; face++) {
        pairs += counts[face] == 2;
        triples += counts[face] == 3;
    }
    if (triples == 1 && pairs == 1 && counts[5] == 1 && rolls[0] == 3)
        return 1; //~ reached
    if (pairs == 3 && triples == 1)
        return 2; //~ unreachable
    return 0;
}
