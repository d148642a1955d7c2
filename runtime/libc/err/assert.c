// What <assert.h> calls when an assertion fails.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "../internal.h"

_Noreturn void __assert(const char *assertion, const char *file, int line);

static _Noreturn void fail(const char *before, const char *what, const char *after, const char *file, unsigned line,
                           const char *function)
{
    char digits[24], *number = __symcrete_decimal(digits + sizeof digits - 1, line);
    digits[sizeof digits - 1] = '\0';
    __symcrete_complain(__progname, *__progname != '\0' ? ": " : "", file, ":", number, ": ",
                        function != NULL ? function : "", function != NULL ? ": " : "", before, what, after, NULL);
    fflush(stderr);
    __symcrete_assertion_failed(what, file, line, function != NULL ? function : "");
}

_Noreturn void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    fail("Assertion `", assertion, "' failed.\n", file, line, function);
}

_Noreturn void __assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    fail("Unexpected error: ", strerror(error), ".\n", file, line, function);
}

_Noreturn void __assert(const char *assertion, const char *file, int line)
{
    fail("Assertion `", assertion, "' failed.\n", file, (unsigned)line, NULL);
}
