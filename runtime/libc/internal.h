// Helpers shared by the C runtime's own sources. Programs under test never see this file.
//
// A program may define any name that ISO C leaves to it (`read`, `index`, `error` …), and its definition wins over the
// runtime's. Runtime code therefore calls only ISO C functions and names that begin with two underscores.
#ifndef SYMCRETE_INTERNAL_H
#define SYMCRETE_INTERNAL_H

#include <errno.h>

#include "posix.h"

// Another name for a function or variable defined in the same file.
#define ALIAS(name, target) extern __typeof(target) name __attribute__((alias(#target)))

// The name that 32-bit programs with a 64-bit time_t (-D_TIME_BITS=64) call a function by, where it never looks at a time. Those
// that do are compiled once more (time/time64.c).
#define TIME64_ALIAS(name, target) ALIAS(name, target)

// Turns an engine answer (a negative errno, or a result) into the C convention (-1 with errno, or the result).
static inline long long __symcrete_result(long long answer)
{
    if (answer < 0) {
        errno = (int)-answer;
        return -1;
    }
    return answer;
}

// Fails with an errno, for functions that return -1.
static inline int __symcrete_fail(int error)
{
    errno = error;
    return -1;
}

// Whether a system call could read, or write, this memory; if not, `errno` says EFAULT.
static inline int __symcrete_is_there(const void *address, size_t size, int writes)
{
    return __symcrete_result(__symcrete_user_memory(address, size, writes)) == 0;
}

// The number of the process that started the program.
enum { PARENT_PROCESS = 1 };

// stdio: what `exit` runs after the handlers.
void __symcrete_flush_all(void);

// string/error_text.c: the decimal digits of `value`, ending just before `end`; returns where they start.
char *__symcrete_decimal(char *end, long long value);

// err/message.c: writes the strings up to a null pointer to standard error.
void __symcrete_complain(const char *first, ...) __attribute__((sentinel));

// signal/signal.c: delivers a signal to the program: calls its handler, ignores it, or ends the program.
int __symcrete_raise(int signal);

// The names that programs see as program_invocation_name and program_invocation_short_name (start/start.c).
extern char *__progname, *__progname_full;
extern char **__environ;

#endif
