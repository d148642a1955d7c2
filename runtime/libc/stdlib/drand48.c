// drand48 and its relatives: the 48-bit linear congruential generator of POSIX.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../internal.h"

static struct drand48_data shared;

static void ensure_parameters(struct drand48_data *data)
{
    if (!data->__init) {
        data->__a = 0x5deece66dULL;
        data->__c = 0xb;
        data->__init = 1;
    }
}

// Advances the 48-bit number in `x` and returns it.
static uint64_t step(unsigned short x[3], struct drand48_data *data)
{
    ensure_parameters(data);
    uint64_t value = (uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0];
    value = value * data->__a + data->__c;
    x[0] = (unsigned short)value;
    x[1] = (unsigned short)(value >> 16);
    x[2] = (unsigned short)(value >> 32);
    return value & 0xffffffffffffULL;
}

static double next_double(unsigned short x[3], struct drand48_data *data)
{
    return (double)step(x, data) * 0x1p-48;
}

static long next_positive(unsigned short x[3], struct drand48_data *data)
{
    return (long)(step(x, data) >> 17);
}

static long next_signed(unsigned short x[3], struct drand48_data *data)
{
    return (int32_t)(step(x, data) >> 16);
}

#define GENERATOR(type, own_name, given_name, next)                                                                    \
    int own_name##_r(struct drand48_data *restrict data, type *restrict result)                                        \
    {                                                                                                                  \
        *result = next(data->__x, data);                                                                               \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int given_name##_r(unsigned short x[3], struct drand48_data *restrict data, type *restrict result)                 \
    {                                                                                                                  \
        *result = next(x, data);                                                                                       \
        return 0;                                                                                                      \
    }                                                                                                                  \
    type own_name(void)                                                                                                \
    {                                                                                                                  \
        return next(shared.__x, &shared);                                                                              \
    }                                                                                                                  \
    type given_name(unsigned short x[3])                                                                               \
    {                                                                                                                  \
        return next(x, &shared);                                                                                       \
    }

GENERATOR(double, drand48, erand48, next_double)
GENERATOR(long, lrand48, nrand48, next_positive)
GENERATOR(long, mrand48, jrand48, next_signed)

static void seed_with(struct drand48_data *data, long seed)
{
    data->__x[2] = (unsigned short)(seed >> 16);
    data->__x[1] = (unsigned short)seed;
    data->__x[0] = 0x330e;
    data->__init = 0;
    ensure_parameters(data);
}

static void seed_all(struct drand48_data *data, const unsigned short seed[3])
{
    memcpy(data->__old_x, data->__x, sizeof data->__x);
    memcpy(data->__x, seed, sizeof data->__x);
    data->__init = 0;
    ensure_parameters(data);
}

// Three words of state, three of multiplier, one of addend.
static void set_parameters(struct drand48_data *data, const unsigned short parameters[7])
{
    memcpy(data->__x, parameters, sizeof data->__x);
    data->__a = (uint64_t)parameters[5] << 32 | (uint64_t)parameters[4] << 16 | parameters[3];
    data->__c = parameters[6];
    data->__init = 1;
}

int srand48_r(long seed, struct drand48_data *data)
{
    seed_with(data, seed);
    return 0;
}

int seed48_r(unsigned short seed[3], struct drand48_data *data)
{
    seed_all(data, seed);
    return 0;
}

int lcong48_r(unsigned short parameters[7], struct drand48_data *data)
{
    set_parameters(data, parameters);
    return 0;
}

void srand48(long seed)
{
    seed_with(&shared, seed);
}

unsigned short *seed48(unsigned short seed[3])
{
    seed_all(&shared, seed);
    return shared.__old_x;
}

void lcong48(unsigned short parameters[7])
{
    set_parameters(&shared, parameters);
}
