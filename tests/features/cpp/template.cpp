// section: C++
// feature: classes, virtual functions, templates, lambdas, operators
// executed: yes
template <class T> T mx(T a, T b)
{
    return a < b ? b : a;
}
extern "C" int f(int x)
{
    return mx(x, 3) == 9 ? 1 : 0;
}
