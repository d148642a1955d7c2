// section: C++
// feature: `throw` without a handler
// executed: yes
int g(int x)
{
    if (x == 3)
        throw 5;
    return x;
}
extern "C" int f(int x)
{
    return g(x);
}
