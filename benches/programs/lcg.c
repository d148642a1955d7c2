// Sums a linear congruential sequence: argv[1] steps.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long steps = argc > 1 ? atol(argv[1]) : 0;
    uint64_t state = 42, sum = 0;
    for (long step = 0; step < steps; step++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += state >> 33;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
