// section: The C library and POSIX
// feature: `stdio.h`
// executed: yes
#include <stdio.h>
int f(const char *s)
{
    int a;
    if (!s)
        return 0;
    return sscanf(s, "%d", &a) == 1 && a == 37 ? 1 : 0;
}
