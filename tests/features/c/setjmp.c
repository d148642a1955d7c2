// section: C
// feature: `setjmp`, `longjmp`
// executed: yes
#include <setjmp.h>
jmp_buf b;
int f(int x)
{
    if (setjmp(b))
        return 7;
    if (x == 3)
        longjmp(b, 1);
    return 0;
}
