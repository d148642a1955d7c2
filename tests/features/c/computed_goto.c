// section: C
// feature: `_Generic`, statement expressions, computed `goto`, `cleanup` attribute
// executed: yes
int f(int x)
{
    void *t[] = {&&a, &&b};
    if (x < 0 || x > 1)
        return 9;
    goto *t[x];
a:
    return 1;
b:
    return 2;
}
