// section: The C library and POSIX
// feature: files, directories, attributes
// executed: yes
#include <stdio.h>
int f(int x)
{
    FILE *o = fopen("o.txt", "w");
    if (!o)
        return -1;
    fprintf(o, "%d", x);
    fclose(o);
    return x == 5 ? 1 : 0;
}
