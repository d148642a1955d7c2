// section: C++
// feature: `throw` below a handler or a destructor
// executed: no: the handling of an exception
int n;
struct G {
    ~G()
    {
        n++;
    }
};
void h(int x)
{
    if (x == 1)
        throw 3;
}
extern "C" int f(int x)
{
    G g;
    h(x);
    return n;
}
