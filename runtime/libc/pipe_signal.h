// Writing with the signal that Linux sends to whoever writes to a pipe that nobody reads.
#ifndef SYMCRETE_PIPE_SIGNAL_H
#define SYMCRETE_PIPE_SIGNAL_H

#include <errno.h>
#include <signal.h>

#include "posix.h"

static inline long write_or_signal(int descriptor, const void *bytes, size_t count)
{
    long written = __symcrete_write(descriptor, bytes, count);
    if (written == -EPIPE) {
        raise(SIGPIPE);
    }
    return written;
}

#endif
