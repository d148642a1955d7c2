// <fenv.h>: rounding is to nearest, always, and no exception is ever recorded.
#define _GNU_SOURCE
#include <fenv.h>
#include <string.h>

#include "../internal.h"

int fegetround(void)
{
    return FE_TONEAREST;
}

int fesetround(int direction)
{
    return direction != FE_TONEAREST;
}

int feclearexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

int feraiseexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

int fesetexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

int fetestexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

int fegetexceptflag(fexcept_t *flags, int exceptions)
{
    (void)exceptions;
    *flags = 0;
    return 0;
}

int fesetexceptflag(const fexcept_t *flags, int exceptions)
{
    (void)flags;
    (void)exceptions;
    return 0;
}

int fegetenv(fenv_t *environment)
{
    memset(environment, 0, sizeof *environment);
    return 0;
}

int feholdexcept(fenv_t *environment)
{
    memset(environment, 0, sizeof *environment);
    return 0;
}

int fesetenv(const fenv_t *environment)
{
    (void)environment;
    return 0;
}

int feupdateenv(const fenv_t *environment)
{
    (void)environment;
    return 0;
}

// Traps cannot be enabled.
int feenableexcept(int exceptions)
{
    return exceptions == 0 ? 0 : -1;
}

int fedisableexcept(int exceptions)
{
    (void)exceptions;
    return 0;
}

int fegetexcept(void)
{
    return 0;
}
