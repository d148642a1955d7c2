// section: C
// feature: structs, unions, arrays, flexible array members, pointers, function pointers
// executed: yes
#include <stdlib.h>
struct s {
    int n;
    int v[];
};
int f(int x)
{
    struct s *p = malloc(sizeof *p + 8);
    if (!p)
        return -1;
    p->v[1] = x;
    int r = p->v[1] == 4 ? 1 : 0;
    free(p);
    return r;
}
