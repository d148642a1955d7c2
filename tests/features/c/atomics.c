// section: C
// feature: `_Atomic`, `_Thread_local`
// executed: yes
#include <stdatomic.h>
atomic_int a;
int f(int x)
{
    atomic_fetch_add(&a, x);
    return atomic_load(&a) == 9 ? 1 : 0;
}
