// The functions on sets of signals.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../internal.h"
#include "signal_sets.h"

enum { LAST_SIGNAL = 64 };

static int is_signal(int signal)
{
    return signal > 0 && signal <= LAST_SIGNAL;
}

int sigemptyset(sigset_t *set)
{
    memset(set, 0, sizeof *set);
    return 0;
}

// All signals, except the two that glibc keeps for itself.
int sigfillset(sigset_t *set)
{
    memset(set, 0xff, sizeof *set);
    set_remove(set, 32);
    set_remove(set, 33);
    return 0;
}

int sigaddset(sigset_t *set, int signal)
{
    if (!is_signal(signal))
        return __symcrete_fail(EINVAL);
    set_add(set, signal);
    return 0;
}

int sigdelset(sigset_t *set, int signal)
{
    if (!is_signal(signal))
        return __symcrete_fail(EINVAL);
    set_remove(set, signal);
    return 0;
}

int sigismember(const sigset_t *set, int signal)
{
    return is_signal(signal) ? set_contains(set, signal) : __symcrete_fail(EINVAL);
}

int sigisemptyset(const sigset_t *set)
{
    for (unsigned i = 0; i < SIGNAL_SET_WORDS; i++)
        if (set->__val[i] != 0)
            return 0;
    return 1;
}

int sigandset(sigset_t *set, const sigset_t *left, const sigset_t *right)
{
    for (unsigned i = 0; i < SIGNAL_SET_WORDS; i++)
        set->__val[i] = left->__val[i] & right->__val[i];
    return 0;
}

int sigorset(sigset_t *set, const sigset_t *left, const sigset_t *right)
{
    for (unsigned i = 0; i < SIGNAL_SET_WORDS; i++)
        set->__val[i] = left->__val[i] | right->__val[i];
    return 0;
}

char *__symcrete_strsignal(int signal);

void psignal(int signal, const char *message)
{
    int has_message = message != NULL && *message != '\0';
    __symcrete_complain(has_message ? message : "", has_message ? ": " : "", __symcrete_strsignal(signal), "\n", NULL);
}
