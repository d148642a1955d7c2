// The middle of two indices: their sum wraps around when both are large, a difference does not.
#include <symcrete.h>

static int middle(int low, int high) {
    return (int)((unsigned)low + (unsigned)high) / 2;
}

static int careful_middle(int low, int high) {
    return low + (high - low) / 2;
}

int main(void) {
    int low = symcrete_int("low"), high = symcrete_int("high");
    if (low < 0 || high < low)
        return 0;
    if (middle(low, high) < 0)
        return 1; //~ reached
    int safe = careful_middle(low, high);
    if (safe < low || safe > high)
        return 2; //~ unreachable
    return 3;
}
