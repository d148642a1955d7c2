// section: The C library and POSIX
// feature: `stdio.h`
// executed: yes
#include <stdio.h>
#include <string.h>
int f(int x)
{
    char b[20];
    snprintf(b, 20, "%d", x);
    return strcmp(b, "42") == 0 ? 1 : 0;
}
