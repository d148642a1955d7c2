// The C library's pseudo-random sequences, which programs depend on more than they should.
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int step = 0; step < 40; step++)
        printf("%d ", rand());
    putchar('\n');
    const unsigned seeds[] = {0, 1, 42, 12345, 4294967295u};
    for (int index = 0; index < 5; index++) {
        srand(seeds[index]);
        for (int step = 0; step < 8; step++)
            printf("%d ", rand() % 1000);
        srandom(seeds[index]);
        for (int step = 0; step < 400; step++)
            (void)random();
        printf("%ld ", random());
        unsigned state = seeds[index];
        printf("%d ", rand_r(&state));
        printf("%d\n", rand_r(&state));
    }
    srand48(7);
    for (int step = 0; step < 5; step++) {
        printf("%ld ", lrand48());
        printf("%ld ", mrand48());
        printf("%.15g ", drand48());
    }
    unsigned short state[3] = {1, 2, 3};
    printf("%.15g ", erand48(state));
    printf("%ld\n", nrand48(state));
    printf("%d\n", RAND_MAX);
    return 0;
}
