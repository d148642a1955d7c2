// The rate of a loan from pow and log: one rate doubles the capital in ten years.
#include <math.h>
#include <symcrete.h>

static double growth(float percent, int years) {
    return pow(1.0 + percent / 100.0, years);
}

int main(void) {
    float percent = symcrete_float("percent");
    int years = symcrete_range(1, 30, "years");
    if (!(percent > 0.5f && percent < 15.0f))
        return 0;
    double factor = growth(percent, years);
    if (years == 10 && factor > 1.999 && factor < 2.001)
        return 1; //~ reached
    double rate = log(factor) / years;
    if (years == 3 && rate > 0.0999 && rate < 0.1001)
        return 2; //~ reached
    return 3;
}
