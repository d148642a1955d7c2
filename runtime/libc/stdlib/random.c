// rand, random and their relatives: the additive feedback generators of glibc, number for number.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

#include "../internal.h"

enum { KINDS = 5, STANDARD_KIND = 3 };

// Each kind keeps `degree` words and adds the one that lies `separation` behind. Kind 0 is a plain linear generator.
static const int degrees[KINDS] = {0, 7, 15, 31, 63};
static const int separations[KINDS] = {0, 3, 1, 3, 1};

// Room for the standard kind; the word before the state says where the generator stands (see `remember`).
static int32_t standard_memory[1 + 31];
static struct random_data shared;

static int32_t next(struct random_data *data)
{
    int32_t *state = data->state;
    if (data->rand_type == 0)
        return state[0] = (int32_t)(((uint32_t)state[0] * 1103515245u + 12345u) & 0x7fffffff);
    uint32_t value = (uint32_t)*data->fptr + (uint32_t)*data->rptr;
    *data->fptr = (int32_t)value;
    if (++data->fptr == data->end_ptr)
        data->fptr = state;
    if (++data->rptr == data->end_ptr)
        data->rptr = state;
    return (int32_t)(value >> 1);
}

static void seed_with(struct random_data *data, unsigned seed)
{
    int32_t *state = data->state;
    int degree = data->rand_deg;
    state[0] = seed == 0 ? 1 : (int32_t)seed;
    if (data->rand_type == 0)
        return;
    // The minimal standard generator, without overflow: 16807 * x mod (2 ^ 31 - 1).
    int32_t word = state[0];
    for (int i = 1; i < degree; i++) {
        int32_t high = word / 127773, low = word % 127773;
        word = 16807 * low - 2836 * high;
        if (word < 0)
            word += 2147483647;
        state[i] = word;
    }
    data->fptr = state + data->rand_sep;
    data->rptr = state;
    for (int i = 0; i < 10 * degree; i++)
        next(data);
}

static void use_memory(struct random_data *data, int kind, int32_t *memory)
{
    data->rand_type = kind;
    data->rand_deg = degrees[kind];
    data->rand_sep = separations[kind];
    data->state = memory + 1;
    data->end_ptr = data->state + degrees[kind];
}

static void remember(struct random_data *data)
{
    int32_t place = data->rand_type == 0 ? 0 : (int32_t)(data->rptr - data->state);
    data->state[-1] = place * KINDS + data->rand_type;
}

static int initialise(unsigned seed, char *memory, size_t size, struct random_data *data)
{
    if (size < 8)
        return __symcrete_fail(EINVAL);
    int kind = size < 32 ? 0 : size < 64 ? 1 : size < 128 ? 2 : size < 256 ? 3 : 4;
    if (data->state != NULL)
        remember(data);
    use_memory(data, kind, (int32_t *)memory);
    seed_with(data, seed);
    remember(data);
    return 0;
}

static int restore(char *memory, struct random_data *data)
{
    int32_t *words = (int32_t *)memory;
    remember(data); // first, for it may be the same memory
    int kind = words[0] % KINDS, place = words[0] / KINDS;
    if (kind < 0)
        return __symcrete_fail(EINVAL);
    use_memory(data, kind, words);
    if (kind != 0) {
        data->rptr = data->state + place;
        data->fptr = data->state + (place + data->rand_sep) % data->rand_deg;
    }
    return 0;
}

// The shared generator, seeded with 1 if the program did not choose.
static struct random_data *shared_generator(void)
{
    if (shared.state == NULL) {
        use_memory(&shared, STANDARD_KIND, standard_memory);
        seed_with(&shared, 1);
    }
    return &shared;
}

int random_r(struct random_data *restrict data, int32_t *restrict result)
{
    *result = next(data);
    return 0;
}

int srandom_r(unsigned seed, struct random_data *data)
{
    seed_with(data, seed);
    return 0;
}

int initstate_r(unsigned seed, char *restrict memory, size_t size, struct random_data *restrict data)
{
    return initialise(seed, memory, size, data);
}

int setstate_r(char *restrict memory, struct random_data *restrict data)
{
    return restore(memory, data);
}

long random(void)
{
    return next(shared_generator());
}

void srandom(unsigned seed)
{
    if (shared.state == NULL)
        use_memory(&shared, STANDARD_KIND, standard_memory);
    seed_with(&shared, seed);
}

char *initstate(unsigned seed, char *memory, size_t size)
{
    char *old = (char *)(shared_generator()->state - 1);
    return initialise(seed, memory, size, &shared) == 0 ? old : NULL;
}

char *setstate(char *memory)
{
    char *old = (char *)(shared_generator()->state - 1);
    return restore(memory, &shared) == 0 ? old : NULL;
}

int rand(void)
{
    return next(shared_generator());
}
ALIAS(srand, srandom);

static unsigned linear_step(unsigned *value)
{
    *value = *value * 1103515245 + 12345;
    return *value >> 16;
}

int rand_r(unsigned *seed)
{
    unsigned result = linear_step(seed) % 2048;
    result = result << 10 ^ linear_step(seed) % 1024;
    result = result << 10 ^ linear_step(seed) % 1024;
    return (int)result;
}
