// section: C++
// feature: compiled parts of the library: `string` beyond what is inlined, `map`, `unordered_map`, exceptions of `<stdexcept>`
// executed: no: the C++ library
#include <unordered_map>
extern "C" int f(int x)
{
    std::unordered_map<int, int> m;
    m[x] = 1;
    return m.count(6) ? 1 : 0;
}
