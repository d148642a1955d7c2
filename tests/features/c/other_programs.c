// section: The C library and POSIX
// feature: `exec…`, `system`, `popen`, `pipe`
// executed: fail
#include <errno.h>
#include <stdlib.h>
int f(int x)
{
    if (x == 1)
        return system("true") == -1 && errno == ENOSYS ? 2 : 3;
    return 0;
}
