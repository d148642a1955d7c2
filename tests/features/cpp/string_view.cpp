// section: C++
// feature: header-only parts of the library: `vector`, `array`, `optional`, `string_view`, `function`, `unique_ptr`, `shared_ptr`, algorithms
// executed: yes
// flags: --cflag=-std=c++17
#include <string_view>
extern "C" int f(const char *s)
{
    std::string_view v(s);
    return v == "ab" ? 1 : 0;
}
