// section: C++
// feature: header-only parts of the library: `vector`, `array`, `optional`, `string_view`, `function`, `unique_ptr`, `shared_ptr`, algorithms
// executed: yes
#include <memory>
extern "C" int f(int x)
{
    auto p = std::make_shared<int>(x);
    return *p == 4 ? 1 : 0;
}
