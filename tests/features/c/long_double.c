// section: C
// feature: integers, floats, `long double`, `__int128`, `_Bool`, bit-fields
// executed: yes
int f(long double x)
{
    return x * 3 == 4.5L ? 1 : 0;
}
