// section: C
// feature: structs, unions, arrays, flexible array members, pointers, function pointers
// executed: yes
union u {
    float f;
    unsigned i;
};
int f(float x)
{
    union u v;
    v.f = x;
    return v.i == 0x3fc00000 ? 1 : 0;
}
