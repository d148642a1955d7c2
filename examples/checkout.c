// A harness with symcrete.h: two inputs, an assumption, and an assertion that does not hold. The program of the tutorial's harness page.
#include <symcrete.h>

// The price in cents after a discount in percent.
static int discounted(int cents, int percent)
{
    return cents - cents * percent / 100;
}

int main(void)
{
    int cents = symcrete_int("cents");
    int percent = symcrete_range(0, 100, "percent");
    symcrete_assume(cents >= 0);
    symcrete_assert(discounted(cents, percent) <= cents);
    return 0;
}
