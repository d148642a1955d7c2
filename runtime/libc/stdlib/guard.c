/* Static variables inside C++ functions, which are initialised when they are first come to. There is one thread. */
#include <stdint.h>

int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

/* The first byte says whether the variable is initialised; the rest is ours. */
int __cxa_guard_acquire(uint64_t *guard)
{
    return *(char *)guard == 0;
}

void __cxa_guard_release(uint64_t *guard)
{
    *(char *)guard = 1;
}

void __cxa_guard_abort(uint64_t *guard)
{
    (void)guard;
}
