// section: C++
// feature: `new`, `delete`
// executed: yes
extern "C" int f(int x)
{
    int *p = new int[4];
    p[2] = x;
    int r = p[2] == 8 ? 1 : 0;
    delete[] p;
    return r;
}
