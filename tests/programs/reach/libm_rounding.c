// Prices rounded with floor and ceil; a not-a-number comes through comparisons that look exhaustive.
#include <math.h>
#include <symcrete.h>

static double round_price(double price) {
    double low = floor(price * 20) / 20, high = ceil(price * 20) / 20;
    return price - low < high - price ? low : high;
}

int main(void) {
    double price = symcrete_double("price");
    if (price < 0)
        return 0;
    if (price > 1000)
        return 0;
    if (price >= 0 && price <= 1000) {
        double rounded = round_price(price);
        if (rounded == 13.25 && price != rounded)
            return 1; //~ reached
        if (isnan(rounded))
            return 2; //~ unreachable
        return 3;
    }
    return 4; //~ reached
}
