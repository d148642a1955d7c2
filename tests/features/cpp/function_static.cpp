// section: C++
// feature: constructors and destructors, also of globals and function statics
// executed: yes
struct S {
    int v;
    S() : v(3)
    {
    }
};
S &s()
{
    static S x;
    return x;
}
extern "C" int f(int x)
{
    return s().v == x ? 1 : 0;
}
