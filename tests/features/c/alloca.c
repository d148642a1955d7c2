// section: C
// feature: variable-length arrays, `alloca`
// executed: yes
#include <alloca.h>
int f(int n)
{
    if (n < 1 || n > 4)
        return 0;
    int *p = alloca(n * 4);
    p[n - 1] = n;
    return p[n - 1] == 3 ? 1 : 2;
}
