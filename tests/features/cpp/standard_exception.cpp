// section: C++
// feature: compiled parts of the library: `string` beyond what is inlined, `map`, `unordered_map`, exceptions of `<stdexcept>`
// executed: no: the C++ library
#include <stdexcept>
extern "C" int f(int x)
{
    if (x == 3)
        throw std::runtime_error("no");
    return 0;
}
