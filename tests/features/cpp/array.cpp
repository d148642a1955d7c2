// section: C++
// feature: header-only parts of the library: `vector`, `array`, `optional`, `string_view`, `function`, `unique_ptr`, `shared_ptr`, algorithms
// executed: yes
#include <algorithm>
#include <array>
extern "C" int f(int x)
{
    std::array<int, 3> a{x, 2, 1};
    std::sort(a.begin(), a.end());
    return a[0] == -5 ? 1 : 0;
}
