// section: C++
// feature: classes, virtual functions, templates, lambdas, operators
// executed: yes
struct A {
    virtual int g(int x)
    {
        return x == 1;
    }
    virtual ~A()
    {
    }
};
struct B : A {
    int g(int x) override
    {
        return x == 2 ? 5 : 6;
    }
};
extern "C" int f(int k, int x)
{
    A a;
    B b;
    A *p = k ? &a : &b;
    return p->g(x) ? 3 : 4;
}
