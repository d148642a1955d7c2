// section: C
// feature: integers, floats, `long double`, `__int128`, `_Bool`, bit-fields
// executed: yes
struct s {
    unsigned a : 3, b : 5;
};
int f(struct s x)
{
    return x.a == 5 && x.b == 17 ? 1 : 0;
}
