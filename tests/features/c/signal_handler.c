// section: C
// feature: signal handlers, `raise`
// executed: yes
#include <signal.h>
int hit;
void h(int s)
{
    hit = 1;
}
int f(int x)
{
    signal(SIGUSR1, h);
    if (x == 2)
        raise(SIGUSR1);
    return hit ? 1 : 0;
}
