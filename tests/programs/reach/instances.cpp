// One line in several functions: what contradicts itself in one of them says nothing of the others.
#include <symcrete.h>

static int hits;

template <unsigned N> static int known(unsigned x) {
    if (x * 2654435761u == 0x12345678u && (x & 1) == N % 2) {
        if (N == 8 || x * 3 == 5 * N)
            hits++; //~ reached
        if (N == 9 && x == 17)
            hits--; //~ unreachable
    }
    return hits;
}

int main() {
    unsigned x = (unsigned)symcrete_int("x");
    return known<4>(x) + known<8>(x) + known<9>(x) + known<6>(x);
}
