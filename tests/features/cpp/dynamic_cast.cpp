// section: C++
// feature: `dynamic_cast`
// executed: no: `__dynamic_cast` is called but defined nowhere
struct A {
    virtual ~A()
    {
    }
};
struct B : A {
    int v;
};
extern "C" int f(int x)
{
    A a;
    B b;
    A *p = x == 1 ? (A *)&b : &a;
    return dynamic_cast<B *>(p) ? 1 : 0;
}
