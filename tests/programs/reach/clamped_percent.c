// A percentage that a function saturates, so that a part is never more than the whole.
#include <symcrete.h>

static unsigned saturated(unsigned value, unsigned most) {
    return value > most ? most : value;
}

static unsigned part(unsigned whole, unsigned percent) {
    return (unsigned)((unsigned long)whole * saturated(percent, 100) / 100);
}

int main(void) {
    unsigned whole = symcrete_uint("whole") % 65536, percent = symcrete_uint("percent");
    unsigned result = part(whole, percent);
    if (result > whole)
        return 1; //~ unreachable
    if (result == whole && percent < 100 && whole > 0)
        return 2; //~ unreachable
    if (result == 4321 && whole == 5000)
        return 3; //~ unreachable
    if (result == 4350 && whole == 5000)
        return 4; //~ reached
    return 0;
}
