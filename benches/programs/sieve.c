// Counts the primes below argv[1] with a sieve.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long limit = argc > 1 ? atol(argv[1]) : 0;
    unsigned char *composite = calloc((size_t)limit + 1, 1);
    long primes = 0;
    for (long number = 2; number < limit; number++) {
        if (composite[number])
            continue;
        primes++;
        for (long multiple = number * number; multiple < limit; multiple += number)
            composite[multiple] = 1;
    }
    free(composite);
    printf("%ld\n", primes);
    return 0;
}
