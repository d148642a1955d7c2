// section: The C library and POSIX
// feature: `string.h`, `ctype.h`, `stdlib.h`, `wchar.h`, `search.h`
// executed: yes
#include <stdlib.h>
int cmp(const void *a, const void *b)
{
    return *(int *)a - *(int *)b;
}
int f(int x, int y)
{
    int a[2] = {x, y};
    qsort(a, 2, 4, cmp);
    return a[0] == 7 ? 1 : 0;
}
