// section: The C library and POSIX
// feature: sockets, `dlopen`
// executed: no: `dlopen` is called but defined nowhere
#include <dlfcn.h>
int f(int x)
{
    if (x == 1)
        return dlopen("a", 1) != 0;
    return 0;
}
