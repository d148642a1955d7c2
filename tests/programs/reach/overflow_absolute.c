// The absolute value of the least number is negative, and so the index that is computed from it.
#include <symcrete.h>

static int absolute(int value) {
    return value < 0 ? (int)(0u - (unsigned)value) : value;
}

static int bucket(int hash) {
    return absolute(hash) % 16;
}

int main(void) {
    int hash = symcrete_int("hash");
    int chosen = bucket(hash * 31);
    if (chosen > 15)
        return 1; //~ unreachable
    if (absolute(hash) < 0)
        return 2; //~ reached
    if (chosen < 0)
        return 3; //~ unreachable
    signed char small = symcrete_schar("small");
    signed char negated = (signed char)-small;
    if (negated == small && small != 0)
        return 4; //~ reached
    return 0;
}
