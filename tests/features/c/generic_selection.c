// section: C
// feature: `_Generic`, statement expressions, computed `goto`, `cleanup` attribute
// executed: yes
#define T(x) _Generic((x), int: 1, double: 2)
int f(int x)
{
    return x == T(1) + 4 ? T(2.0) : 0;
}
