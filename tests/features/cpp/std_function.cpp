// section: C++
// feature: header-only parts of the library: `vector`, `array`, `optional`, `string_view`, `function`, `unique_ptr`, `shared_ptr`, algorithms
// executed: yes
#include <functional>
extern "C" int f(int x)
{
    std::function<int(int)> g = [&](int y) { return y + x; };
    return g(2) == 9 ? 1 : 0;
}
