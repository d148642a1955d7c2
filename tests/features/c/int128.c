// section: C
// feature: integers, floats, `long double`, `__int128`, `_Bool`, bit-fields
// executed: yes
int f(unsigned long x)
{
    __int128 y = (__int128)x * x;
    return (y >> 64) == 5 ? 1 : 0;
}
