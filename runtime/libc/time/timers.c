// Interval timers, which never run out. time64.c includes this file.
#define _GNU_SOURCE
#include <string.h>
#include <sys/time.h>

#include "../internal.h"

int getitimer(__itimer_which_t which, struct itimerval *out)
{
    (void)which;
    if (!__symcrete_is_there(out, sizeof *out, 1))
        return -1;
    memset(out, 0, sizeof *out);
    return 0;
}

int setitimer(__itimer_which_t which, const struct itimerval *restrict value, struct itimerval *restrict before)
{
    (void)which;
    if (value != NULL && !__symcrete_is_there(value, sizeof *value, 0))
        return -1;
    if (before != NULL && !__symcrete_is_there(before, sizeof *before, 1))
        return -1;
    if (before != NULL)
        memset(before, 0, sizeof *before);
    return 0;
}
