// section: The C library and POSIX
// feature: `string.h`, `ctype.h`, `stdlib.h`, `wchar.h`, `search.h`
// executed: yes
#include <stdlib.h>
int f(const char *s)
{
    return strtol(s, 0, 10) == 42 ? 1 : 0;
}
