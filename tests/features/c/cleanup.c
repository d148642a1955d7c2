// section: C
// feature: `_Generic`, statement expressions, computed `goto`, `cleanup` attribute
// executed: yes
void z(int *p)
{
}
int f(int x)
{
    __attribute__((cleanup(z))) int y = x;
    return y == 2 ? 1 : 0;
}
