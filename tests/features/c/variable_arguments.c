// section: C
// feature: variable arguments
// executed: yes
#include <stdarg.h>
int s(int n, ...)
{
    va_list l;
    va_start(l, n);
    int t = 0;
    for (int i = 0; i < n; i++)
        t += va_arg(l, int);
    va_end(l);
    return t;
}
int f(int x)
{
    if (s(3, x, 1, 2) == 10)
        return 1;
    return 0;
}
