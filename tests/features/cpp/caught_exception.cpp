// section: C++
// feature: `throw` below a handler or a destructor
// executed: no: the handling of an exception
int g(int x)
{
    if (x == 3)
        throw 5;
    return x;
}
extern "C" int f(int x)
{
    try {
        return g(x);
    } catch (int e) {
        return e;
    }
}
