// section: C++
// feature: constructors and destructors, also of globals and function statics
// executed: yes
struct S {
    int v;
    S() : v(41)
    {
        v++;
    }
};
S g;
extern "C" int f(int x)
{
    return g.v == x ? 1 : 0;
}
