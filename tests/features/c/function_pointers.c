// section: C
// feature: structs, unions, arrays, flexible array members, pointers, function pointers
// executed: yes
int a(int x)
{
    return x == 1 ? 5 : 6;
}
int b(int x)
{
    return x == 2 ? 5 : 6;
}
int f(int k, int x)
{
    int (*t[2])(int) = {a, b};
    return k == 0 || k == 1 ? t[k](x) : 0;
}
