// section: C++
// feature: compiled parts of the library: `string` beyond what is inlined, `map`, `unordered_map`, exceptions of `<stdexcept>`
// executed: no: is called but defined nowhere
#include <string>
extern "C" int f(int x)
{
    std::string s = "ab";
    if (x == 1)
        s += "cdefghijklmnopqrstuvwxyz";
    return s.size() > 5 ? 1 : 0;
}
