// Sets of signals, as inline functions. Signal 1 is bit 0 of the first word.
#ifndef SYMCRETE_SIGNAL_SETS_H
#define SYMCRETE_SIGNAL_SETS_H

#include <signal.h>

enum { SIGNAL_SET_WORDS = sizeof(sigset_t) / sizeof(unsigned long), SIGNAL_WORD_BITS = 8 * sizeof(unsigned long) };

static inline unsigned long *signal_word(const sigset_t *set, int signal)
{
    return (unsigned long *)set->__val + (unsigned)(signal - 1) / SIGNAL_WORD_BITS;
}

static inline unsigned long signal_bit(int signal)
{
    return 1ul << (unsigned)(signal - 1) % SIGNAL_WORD_BITS;
}

static inline int set_contains(const sigset_t *set, int signal)
{
    return (*signal_word(set, signal) & signal_bit(signal)) != 0;
}

static inline void set_add(sigset_t *set, int signal)
{
    *signal_word(set, signal) |= signal_bit(signal);
}

static inline void set_remove(sigset_t *set, int signal)
{
    *signal_word(set, signal) &= ~signal_bit(signal);
}

static inline void set_union(sigset_t *set, const sigset_t *other)
{
    for (unsigned i = 0; i < SIGNAL_SET_WORDS; i++)
        set->__val[i] |= other->__val[i];
}

static inline void set_subtract(sigset_t *set, const sigset_t *other)
{
    for (unsigned i = 0; i < SIGNAL_SET_WORDS; i++)
        set->__val[i] &= ~other->__val[i];
}

#endif
