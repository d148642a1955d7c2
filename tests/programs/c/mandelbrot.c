// The Mandelbrot set in characters, in doubles, floats, long doubles and fixed point.
#include <stdint.h>
#include <stdio.h>

#define ESCAPE(name, type)                                                                                             \
    static int name(type x, type y, int limit) {                                                                       \
        type a = 0, b = 0;                                                                                             \
        int steps = 0;                                                                                                 \
        for (; steps < limit && a * a + b * b <= 4; steps++) {                                                         \
            type next = a * a - b * b + x;                                                                             \
            b = 2 * a * b + y;                                                                                         \
            a = next;                                                                                                  \
        }                                                                                                              \
        return steps;                                                                                                  \
    }

ESCAPE(escape_double, double)
ESCAPE(escape_float, float)
ESCAPE(escape_long_double, long double)

static int escape_fixed(int32_t x, int32_t y, int limit) {
    int64_t a = 0, b = 0;
    int steps = 0;
    for (; steps < limit && a * a + b * b <= (int64_t)4 << 32; steps++) {
        int64_t next = (a * a - b * b) / 65536 + x;
        b = 2 * a * b / 65536 + y;
        a = next;
    }
    return steps;
}

int main(void) {
    static const char shades[] = " .:-=+*#%@";
    long sums[4] = {0};
    for (int row = 0; row < 20; row++) {
        for (int column = 0; column < 60; column++) {
            double x = column / 20.0 - 2.2, y = row / 8.0 - 1.2;
            int steps = escape_double(x, y, 27);
            putchar(shades[steps / 3]);
            sums[0] += steps;
            if (row % 4 == 0) {
                sums[1] += escape_float((float)x, (float)y, 27);
                sums[2] += escape_long_double(x, y, 27);
                sums[3] += escape_fixed((int32_t)(x * 65536), (int32_t)(y * 65536), 27);
            }
        }
        putchar('\n');
    }
    printf("%ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
