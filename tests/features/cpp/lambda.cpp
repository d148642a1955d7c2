// section: C++
// feature: classes, virtual functions, templates, lambdas, operators
// executed: yes
extern "C" int f(int x)
{
    int k = 4;
    auto g = [&](int y) { return y + k; };
    return g(x) == 9 ? 1 : 0;
}
