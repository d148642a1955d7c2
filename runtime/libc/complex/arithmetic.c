// Complex multiplication and division as compilers call them, with the recovery of infinities that C's annex G asks for.
// The functions of <complex.h> are in functions.c and parts.c.

#include <float.h>
#include <math.h>

// The product of (a + bi) and (c + di); `t` is the type, `suffix` that of its functions in libm.
#define MULTIPLY(name, t, suffix)                                                                                      \
    _Complex t name(t a, t b, t c, t d)                                                                                \
    {                                                                                                                  \
        t ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                              \
        t x = ac - bd, y = ad + bc;                                                                                    \
        if (isnan(x) && isnan(y)) {                                                                                    \
            int again = 0;                                                                                             \
            if (isinf(a) || isinf(b)) {                                                                                \
                a = __builtin_copysign##suffix(isinf(a) ? 1 : 0, a);                                                   \
                b = __builtin_copysign##suffix(isinf(b) ? 1 : 0, b);                                                   \
                if (isnan(c))                                                                                          \
                    c = __builtin_copysign##suffix(0, c);                                                              \
                if (isnan(d))                                                                                          \
                    d = __builtin_copysign##suffix(0, d);                                                              \
                again = 1;                                                                                             \
            }                                                                                                          \
            if (isinf(c) || isinf(d)) {                                                                                \
                c = __builtin_copysign##suffix(isinf(c) ? 1 : 0, c);                                                   \
                d = __builtin_copysign##suffix(isinf(d) ? 1 : 0, d);                                                   \
                if (isnan(a))                                                                                          \
                    a = __builtin_copysign##suffix(0, a);                                                              \
                if (isnan(b))                                                                                          \
                    b = __builtin_copysign##suffix(0, b);                                                              \
                again = 1;                                                                                             \
            }                                                                                                          \
            if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                        \
                if (isnan(a))                                                                                          \
                    a = __builtin_copysign##suffix(0, a);                                                              \
                if (isnan(b))                                                                                          \
                    b = __builtin_copysign##suffix(0, b);                                                              \
                if (isnan(c))                                                                                          \
                    c = __builtin_copysign##suffix(0, c);                                                              \
                if (isnan(d))                                                                                          \
                    d = __builtin_copysign##suffix(0, d);                                                              \
                again = 1;                                                                                             \
            }                                                                                                          \
            if (again) {                                                                                               \
                x = INFINITY * (a * c - b * d);                                                                        \
                y = INFINITY * (a * d + b * c);                                                                        \
            }                                                                                                          \
        }                                                                                                              \
        _Complex t result;                                                                                             \
        __real__ result = x;                                                                                           \
        __imag__ result = y;                                                                                           \
        return result;                                                                                                 \
    }

MULTIPLY(__mulsc3, float, f)
MULTIPLY(__muldc3, double, )
MULTIPLY(__mulxc3, long double, l)

// What the quotient of (a + bi) and (c + di) is where the usual formula gives two NaNs.
#define RECOVER(t, suffix)                                                                                             \
    if (isnan(x) && isnan(y)) {                                                                                        \
        if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {                                                            \
            x = __builtin_copysign##suffix(INFINITY, c) * a;                                                           \
            y = __builtin_copysign##suffix(INFINITY, c) * b;                                                           \
        } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                             \
            a = __builtin_copysign##suffix(isinf(a) ? 1 : 0, a);                                                       \
            b = __builtin_copysign##suffix(isinf(b) ? 1 : 0, b);                                                       \
            x = INFINITY * (a * c + b * d);                                                                            \
            y = INFINITY * (b * c - a * d);                                                                            \
        } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {                                             \
            c = __builtin_copysign##suffix(isinf(c) ? 1 : 0, c);                                                       \
            d = __builtin_copysign##suffix(isinf(d) ? 1 : 0, d);                                                       \
            x = 0 * (a * c + b * d);                                                                                   \
            y = 0 * (b * c - a * d);                                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
    _Complex t result;                                                                                                 \
    __real__ result = x;                                                                                               \
    __imag__ result = y;                                                                                               \
    return result;

// Smith's method, which divides by the larger part first, with the scaling that libgcc does since version 12 so that neither the
// denominator nor the products leave the range. `large` is the larger part of the divisor.
#define SCALE(factor) (a *= (factor), b *= (factor), c *= (factor), d *= (factor))
#define PREPARE(suffix, big, large)                                                                                    \
    if (__builtin_fabs##suffix(large) >= big / 2)                                                                      \
        SCALE(0.5);                                                                                                    \
    if (__builtin_fabs##suffix(large) < epsilon) {                                                                     \
        SCALE(1 / epsilon);                                                                                            \
    } else {                                                                                                           \
        int low_a = __builtin_fabs##suffix(a) < smallest, low_b = __builtin_fabs##suffix(b) < smallest;                \
        int room_a = __builtin_fabs##suffix(a) < room, room_b = __builtin_fabs##suffix(b) < room;                      \
        if (((low_a && room_b) || (low_b && room_a)) && __builtin_fabs##suffix(large) < room)                          \
            SCALE(1 / epsilon);                                                                                        \
    }
#define DIVIDE(name, t, suffix, big, smallest_normal, unit)                                                            \
    _Complex t name(t a, t b, t c, t d)                                                                                \
    {                                                                                                                  \
        const t smallest = smallest_normal, epsilon = unit, room = big / 2 * unit;                                     \
        t x, y;                                                                                                        \
        if (__builtin_fabs##suffix(c) < __builtin_fabs##suffix(d)) {                                                   \
            PREPARE(suffix, big, d)                                                                                    \
            t ratio = c / d, denominator = (c * ratio) + d;                                                            \
            if (__builtin_fabs##suffix(ratio) > smallest) {                                                            \
                x = ((a * ratio) + b) / denominator;                                                                   \
                y = ((b * ratio) - a) / denominator;                                                                   \
            } else {                                                                                                   \
                x = ((c * (a / d)) + b) / denominator;                                                                 \
                y = ((c * (b / d)) - a) / denominator;                                                                 \
            }                                                                                                          \
        } else {                                                                                                       \
            PREPARE(suffix, big, c)                                                                                    \
            t ratio = d / c, denominator = (d * ratio) + c;                                                            \
            if (__builtin_fabs##suffix(ratio) > smallest) {                                                            \
                x = ((b * ratio) + a) / denominator;                                                                   \
                y = (b - (a * ratio)) / denominator;                                                                   \
            } else {                                                                                                   \
                x = (a + (d * (b / c))) / denominator;                                                                 \
                y = (b - (d * (a / c))) / denominator;                                                                 \
            }                                                                                                          \
        }                                                                                                              \
        RECOVER(t, suffix)                                                                                             \
    }

// libgcc divides float in double, where nothing can overflow.
_Complex float __divsc3(float a, float b, float c, float d)
{
    double denominator = (double)c * c + (double)d * d;
    float x = (float)(((double)a * c + (double)b * d) / denominator);
    float y = (float)(((double)b * c - (double)a * d) / denominator);
    RECOVER(float, f)
}

DIVIDE(__divdc3, double, , DBL_MAX, DBL_MIN, DBL_EPSILON)
DIVIDE(__divxc3, long double, l, LDBL_MAX, LDBL_MIN, LDBL_EPSILON)
