// section: C++
// feature: header-only parts of the library: `vector`, `array`, `optional`, `string_view`, `function`, `unique_ptr`, `shared_ptr`, algorithms
// executed: yes
#include <memory>
struct A {
    int v;
    ~A()
    {
        v = 0;
    }
};
extern "C" int f(int x)
{
    auto p = std::make_unique<A>();
    p->v = x;
    return p->v == 4 ? 1 : 0;
}
