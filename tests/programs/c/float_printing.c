// Floats as text: every conversion and flag on values that are hard to print.
#include <float.h>
#include <math.h>
#include <stdio.h>

static const double values[] = {0.0, 1.0, 0.1, 0.5, 1.5, 2.5, 0.3, 1.0 / 3, 2.0 / 3, 9.5, 9.995, 99.95, 0.05, 0.00015, 123456, 1234567,
                                12345678.9, 1e15, 123456789012345678., 1e16, 1e17, 1e21, 1e22, 1e23, 1e100, 1.7976931348623157e308,
                                2.2250738585072014e-308, 5e-324, 1e-310, 4.35, 0.000001, 0.0000001, 8.5, 1024, 3.14159265358979323846,
                                2.718281828459045, 1e-5, 0.0001, 999999.5, 0.99999949999999, 9007199254740993.0, 5e-5};
static const char *formats[] = {"%f", "%e", "%g", "%a", "%.0f", "%.1f", "%.0e", "%.3g", "%#.3g", "%.17g", "%.20e", "%+.2f",
                                "% .3e", "%015.4f", "%-12.2e|", "%#.0f", "%G", "%E", "%A", "%.3a", "%.0a", "%.10f", "%.15g", "%20g"};

static void special(void) {
    volatile double zero = 0;
    double infinity = 1 / zero, not_a_number = infinity - infinity;
    printf("%f %e %g %a %F %E %G %A\n", infinity, infinity, -infinity, infinity, infinity, -infinity, infinity, -infinity);
    printf("%f %f %F %G\n", not_a_number, -not_a_number, not_a_number, fabs(not_a_number));
    printf("%010f|%-10f|%+f|% f|%10g|%.2f\n", infinity, infinity, infinity, infinity, fabs(not_a_number), -infinity);
    printf("%f %e %g %a %.0f %+g\n", -0.0, -0.0, -0.0, -0.0, -0.0, -0.0);
}

static void limits(void) {
    printf("%.9g %.9g %.9g %d %d\n", FLT_MAX, FLT_MIN, FLT_EPSILON, FLT_DIG, FLT_MAX_EXP);
    printf("%.17g %.17g %.17g %d %d\n", DBL_MAX, DBL_MIN, DBL_EPSILON, DBL_DIG, DBL_MAX_10_EXP);
    printf("%.50f\n%.60g\n", 0.1, 0.1);
    printf("%.1000f\n", 5e-324);
    printf("%.0f\n", DBL_MAX);
    printf("%f\n", (double)FLT_MAX);
}

static void widths(void) {
    for (int width = 0; width < 14; width += 3)
        for (int precision = -1; precision < 5; precision += 2)
            printf("[%*.*f][%-*.*e][%0*.*g]\n", width, precision, 3.14159, width, precision, 31415.9, width, precision, 0.000314159);
}

int main(void) {
    for (unsigned value = 0; value < sizeof values / sizeof values[0]; value++) {
        for (unsigned format = 0; format < sizeof formats / sizeof formats[0]; format++) {
            printf(formats[format], (value & 1) ? -values[value] : values[value]);
            putchar(' ');
        }
        putchar('\n');
    }
    float small = 0.1f;
    printf("%.20f %a %g\n", small, small, small);
    special();
    limits();
    widths();
    return 0;
}
