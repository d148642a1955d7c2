// section: C++
// feature: `iostream`
// executed: refused: `_ZSt4cout` is declared but defined nowhere
#include <iostream>
int main(int c, char **v)
{
    std::cout << "hi " << c << "\n";
    return 0;
}
