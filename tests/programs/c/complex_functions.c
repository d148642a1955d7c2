// The functions of <complex.h> in all three types, on ordinary numbers and on zeros, infinities and NaNs, bit by bit.
// 64-bit: a 32-bit libm has other last bits than the 64-bit one that Symcrete calls
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <stdio.h>

static void show(const void *part, int size) {
    const unsigned char *bytes = part;
    putchar(' ');
    while (size--)
        printf("%02x", bytes[size]);
}

#define TYPE(suffix, type, size)                                                                  \
    static void show_real##suffix(type value) { show(&value, size); }                             \
    static void show_complex##suffix(type complex value) {                                        \
        show_real##suffix(creal##suffix(value));                                                  \
        show_real##suffix(cimag##suffix(value));                                                  \
    }                                                                                             \
    static type complex (*const functions##suffix[])(type complex) = {                            \
        cacos##suffix, casin##suffix, catan##suffix, ccos##suffix, csin##suffix, ctan##suffix,    \
        cacosh##suffix, casinh##suffix, catanh##suffix, ccosh##suffix, csinh##suffix,             \
        ctanh##suffix, cexp##suffix, clog##suffix, clog10##suffix, csqrt##suffix, conj##suffix,   \
        cproj##suffix};                                                                           \
    static void all##suffix(void) {                                                               \
        const type parts[] = {0,    -0.0,     1,         -1,   0.5,  -2.25, 3.75, 1e-3,           \
                              1e30, INFINITY, -INFINITY, NAN,  700,  -80,   20,   0.1};           \
        const int count = sizeof parts / sizeof *parts;                                           \
        for (int real = 0; real < count; real++)                                                  \
            for (int imaginary = 0; imaginary < count; imaginary++) {                             \
                type complex z;                                                                   \
                __real__ z = parts[real];                                                         \
                __imag__ z = parts[imaginary];                                                    \
                printf("%d %d:", real, imaginary);                                                \
                for (unsigned at = 0; at < sizeof functions##suffix / sizeof(void *); at++)       \
                    show_complex##suffix(functions##suffix[at](z));                               \
                show_real##suffix(cabs##suffix(z));                                               \
                show_real##suffix(carg##suffix(z));                                               \
                type complex power;                                                               \
                __real__ power = parts[(real + 5 * imaginary) % count];                           \
                __imag__ power = parts[(imaginary + 7 * real) % count];                           \
                show_complex##suffix(cpow##suffix(z, power));                                     \
                putchar('\n');                                                                    \
            }                                                                                     \
    }

TYPE(, double, 8)
TYPE(f, float, 4)
TYPE(l, long double, 10)

int main(void) {
    all();
    allf();
    alll();
    // Called by name, where an optimising compiler knows the functions.
    double complex z = 0.75 - 1.25 * I;
    show_complex(cexp(z)), show_complex(csqrt(z) * clog(z)), show_complex(cpow(z, 2 + I)), show_real(cabs(conj(z)));
    show_complexf(csinf(z) + ccosf(z)), show_realf(cargf(z)), show_complexl(ctanl(z) / catanhl(z)), show_reall(cabsl(z));
    show_complex(cproj(INFINITY - 2 * I)), show_complex(_Generic(z, double complex: casin)(z));
    putchar('\n');
    return 0;
}
