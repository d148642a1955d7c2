// section: The C library and POSIX
// feature: `string.h`, `ctype.h`, `stdlib.h`, `wchar.h`, `search.h`
// executed: yes
#include <string.h>
int f(char *s)
{
    return s && strstr(s, "key=") ? 1 : 0;
}
