// The price of a parcel, with a mistake in it: which code and weight does it take?
#include <stddef.h>

static const int rates[4] = {350, 490, 720, 1180};

int price(const char *code, int grams)
{
    if (code == NULL || code[0] != 'P' || code[1] != 'K')
        return -1;
    int zone = code[2] - '0';
    if (zone < 0 || zone > 4)
        return -2;
    if (grams <= 0 || grams > 20000)
        return -3;
    int units = grams / 500;
    if (units * 500 != grams)
        units++;
    return rates[zone] * units;
}
