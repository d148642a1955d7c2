// section: The C library and POSIX
// feature: threads, `fork`
// executed: no: a program that starts others
#include <unistd.h>
int f(int x)
{
    if (x == 2)
        return fork() > 0;
    return 0;
}
