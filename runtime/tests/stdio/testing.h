// What the differential tests of stdio share: a seeded generator, and counting and reporting differences.
// The runtime's functions carry the prefix sc_; the plain names are the C library's.
#ifndef STDIO_TESTING_H
#define STDIO_TESTING_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t random_state = 88172645463325252ULL;
static long differences;

static inline void seed_random(uint64_t seed)
{
    random_state = seed * 6364136223846793005ULL + 1442695040888963407ULL;
}

static inline uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 2685821657736338717ULL;
}

static inline unsigned random_below(unsigned limit)
{
    return (unsigned)((random_bits() >> 33) % limit);
}

static inline int random_chance(unsigned one_in)
{
    return random_below(one_in) == 0;
}

// Prints a line that starts a report; the caller adds what it knows. Gives up when there are too many.
static inline void count_difference(const char *what)
{
    fprintf(stderr, "difference: %s\n", what);
    if (++differences >= 20) {
        exit(1);
    }
}

#endif
