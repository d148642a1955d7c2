// section: The C library and POSIX
// feature: time
// executed: yes
#include <time.h>
int f(int x)
{
    return time(0) == x ? 1 : 0;
}
