// section: C++
// feature: header-only parts of the library: `vector`, `array`, `optional`, `string_view`, `function`, `unique_ptr`, `shared_ptr`, algorithms
// executed: yes
#include <vector>
extern "C" int f(int x)
{
    std::vector<int> v;
    v.push_back(x);
    v.push_back(2);
    return v[0] == 7 ? 1 : 0;
}
