// section: C++
// feature: header-only parts of the library: `vector`, `array`, `optional`, `string_view`, `function`, `unique_ptr`, `shared_ptr`, algorithms
// executed: yes
// flags: --cflag=-std=c++17
#include <optional>
extern "C" int f(int x)
{
    std::optional<int> o;
    if (x == 2)
        o = 4;
    return o.has_value() ? 1 : 0;
}
