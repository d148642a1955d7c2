// section: C
// feature: structs, unions, arrays, flexible array members, pointers, function pointers
// executed: yes
int t[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int f(unsigned i)
{
    return i < 8 && t[i] == 9 ? 1 : 0;
}
