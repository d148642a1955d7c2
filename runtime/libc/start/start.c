// What the engine calls before constructors and main, and the names that a C program starts with.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "../internal.h"

void __symcrete_start(int argc, char **argv, char **envp);

static char no_name[1];
char *__progname = no_name, *__progname_full = no_name;
ALIAS(program_invocation_short_name, __progname);
ALIAS(program_invocation_name, __progname_full);

// The identity that C++ code hands to __cxa_atexit.
void *__dso_handle = &__dso_handle;

// glibc tells single-threaded programs so.
char __libc_single_threaded = 1;

// By this name the engine finds it when a call of libm sets errno.
int __symcrete_errno;

int *__errno_location(void)
{
    return &__symcrete_errno;
}

void __symcrete_start(int argc, char **argv, char **envp)
{
    __environ = envp;
    if (argc > 0 && argv[0] != NULL) {
        char *slash = strrchr(argv[0], '/');
        __progname_full = argv[0];
        __progname = slash == NULL ? argv[0] : slash + 1;
    }
}
