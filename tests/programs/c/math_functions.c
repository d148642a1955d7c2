// The functions of math.h, bit for bit.
// 64-bit: a 32-bit libm has other last bits than the 64-bit one that Symcrete calls
#include <math.h>
#include <stdio.h>

static const double points[] = {0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 0.1, 1.5, 2.0, 2.5, -2.5, 3.5, 10, -10, 100.25, 1e-8, 1e8, 710, -745.2, 1e300};
enum { COUNT = sizeof points / sizeof points[0] };
typedef double (*one_argument)(double);
typedef double (*two_arguments)(double, double);

static const struct { const char *name; one_argument function; } unary[] = {
    {"sin", sin}, {"cos", cos}, {"tan", tan}, {"asin", asin}, {"acos", acos}, {"atan", atan}, {"sinh", sinh}, {"cosh", cosh},
    {"tanh", tanh}, {"asinh", asinh}, {"acosh", acosh}, {"atanh", atanh}, {"exp", exp}, {"exp2", exp2}, {"expm1", expm1},
    {"log", log}, {"log2", log2}, {"log10", log10}, {"log1p", log1p}, {"sqrt", sqrt}, {"cbrt", cbrt}, {"floor", floor},
    {"ceil", ceil}, {"round", round}, {"trunc", trunc}, {"rint", rint}, {"nearbyint", nearbyint}, {"fabs", fabs}, {"erf", erf},
    {"erfc", erfc}, {"tgamma", tgamma}, {"lgamma", lgamma}, {"logb", logb}};
static const struct { const char *name; two_arguments function; } binary[] = {
    {"pow", pow}, {"atan2", atan2}, {"fmod", fmod}, {"hypot", hypot}, {"remainder", remainder}, {"copysign", copysign},
    {"fmin", fmin}, {"fmax", fmax}, {"fdim", fdim}, {"nextafter", nextafter}};

/* A NaN is printed without its sign here: which one an invalid operation gives is the library's choice. */
static void show(double result) {
    if (isnan(result))
        printf("nan ");
    else
        printf("%a ", result);
}

static void parts(double value) {
    int exponent;
    double whole, fraction = modf(value, &whole), mantissa = frexp(value, &exponent);
    printf("%a %a %a %d %a %a %d\n", whole, fraction, mantissa, exponent, ldexp(value, -3), scalbn(value, 5), value != 0 ? ilogb(value) : 0);
    int quotient;
    double rest = remquo(value, 0.75, &quotient);
    printf("%a %d ", rest, quotient & 7);
    if (fabs(value) < 1e9)
        printf("%ld %ld %lld\n", lround(value), lrint(value), llround(value));
    else
        printf("\n");
}

int main(void) {
    for (unsigned index = 0; index < sizeof unary / sizeof unary[0]; index++) {
        printf("%s: ", unary[index].name);
        for (int point = 0; point < COUNT; point++)
            show(unary[index].function(points[point]));
        putchar('\n');
    }
    for (unsigned index = 0; index < sizeof binary / sizeof binary[0]; index++) {
        printf("%s: ", binary[index].name);
        for (int left = 0; left < COUNT; left++)
            for (int right = left % 3; right < COUNT; right += 3)
                show(binary[index].function(points[left], points[right]));
        putchar('\n');
    }
    for (int point = 0; point < COUNT; point++)
        parts(points[point]);
    for (int point = 0; point < COUNT; point++) {
        volatile float single = (float)points[point] / 7;
        printf("%a %a %a %a %a %a\n", sinf(single), cosf(single), expf(single / 20), sqrtf(fabsf(single)), floorf(single),
               fmaf(single, single, 1));
    }
    printf("%a %a %a\n", fma(0.1, 10, -1), fma(1e16, 1e16, -1e32), pow(2, 0.5));
    printf("%d %d %d\n", isgreater(1.0, 2.0), isless(1.0, NAN), signbit(-0.0) != 0);
    return 0;
}
