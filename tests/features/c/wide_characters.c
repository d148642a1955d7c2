// section: The C library and POSIX
// feature: `string.h`, `ctype.h`, `stdlib.h`, `wchar.h`, `search.h`
// executed: yes
#include <wchar.h>
int f(wchar_t *s)
{
    return wcscmp(s, L"ab") == 0 ? 1 : 0;
}
