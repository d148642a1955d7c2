// Writing with the signal that Linux sends to whoever writes to a pipe that nobody reads.
#ifndef SYMCRETE_PIPE_SIGNAL_H
#define SYMCRETE_PIPE_SIGNAL_H

#include <errno.h>
#include <signal.h>

#include "posix.h"

static inline long signal_if_broken(long written)
{
    if (written == -EPIPE) {
        raise(SIGPIPE);
    }
    return written;
}

// For library functions.
static inline long write_or_signal(int descriptor, const void *bytes, size_t count)
{
    return signal_if_broken(__symcrete_write(descriptor, bytes, count));
}

// For system calls.
static inline long kernel_write_or_signal(int descriptor, const void *bytes, size_t count)
{
    return signal_if_broken(__symcrete_kernel_write(descriptor, bytes, count));
}

#endif
