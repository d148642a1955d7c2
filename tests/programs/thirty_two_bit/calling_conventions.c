// What is passed and returned how: structs of every size, wide numbers, complex numbers, registers by attribute, variable arguments.
#include <complex.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

struct byte { char a; };
struct odd { char a, b, c; };
struct four { short a, b; };
struct eight { int a; float b; };
struct one_float { float a; };
struct one_double { double a; };
struct twelve { int a[3]; };
struct long_doubles { long double a; char b; };
struct empty {};

static struct byte byte(struct byte value) { value.a++; return value; }
static struct odd odd(int before, struct odd value, int after) { value.b += before * after; return value; }
static struct four four(struct four value) { return (struct four){value.b, value.a}; }
static struct eight eight(struct eight value, long long factor) { return (struct eight){value.a * factor, value.b * 2}; }
static struct one_float one_float(struct one_float value) { value.a *= 1.5f; return value; }
static struct one_double one_double(struct one_double value) { value.a /= 3; return value; }
static struct twelve twelve(struct twelve value, const struct twelve *other) {
    for (int at = 0; at < 3; at++)
        value.a[at] += other->a[2 - at];
    return value;
}
static struct long_doubles wide(struct long_doubles value, struct empty none, char step) {
    (void)none;
    return (struct long_doubles){value.a * 2, value.b + step};
}

__attribute__((fastcall, noinline)) static int64_t fast(int a, char b, int64_t c, int d) { return a + b * c - d; }
__attribute__((stdcall, noinline)) static double standard(double a, float b, int c) { return a * b + c; }
__attribute__((regparm(3), noinline)) static int registers(int a, void *b, short c, int d) { return a + (b != 0) + c * d; }

static float complex single(float complex value) { return value * (1 + 2 * I); }
static double complex twice(double complex value) { return value + conj(value * I); }
static long double complex extended(long double complex value, int power) { return power ? extended(value * value, power - 1) : value; }

static void list(const char *types, ...) {
    va_list arguments, copy;
    va_start(arguments, types);
    va_copy(copy, arguments);
    for (const char *type = types; *type; type++)
        switch (*type) {
        case 'c': printf("%c ", va_arg(arguments, int)); break;
        case 'q': printf("%lld ", va_arg(arguments, long long)); break;
        case 'd': printf("%g ", va_arg(arguments, double)); break;
        case 'L': printf("%Lg ", va_arg(arguments, long double)); break;
        case 'p': printf("%s ", va_arg(arguments, char *)); break;
        case 'b': printf("{%d} ", va_arg(arguments, struct byte).a); break;
        case 'o': printf("{%d} ", va_arg(arguments, struct odd).c); break;
        case 'w': printf("{%Lg} ", va_arg(arguments, struct long_doubles).a); break;
        case 'z': printf("(%g) ", cimag(va_arg(arguments, double complex))); break;
        case 't': printf("{%d} ", va_arg(arguments, struct twelve).a[2]); break;
        }
    printf("%c\n", va_arg(copy, int));
    va_end(copy);
    va_end(arguments);
}

int main(void) {
    struct twelve numbers = {{1, 20, 300}};
    printf("%d %d %d %d\n", byte((struct byte){4}).a, odd(2, (struct odd){1, 2, 3}, 5).b, four((struct four){6, 7}).a,
           eight((struct eight){3, 0.25f}, 1LL << 28).a);
    printf("%g %g %d\n", one_float((struct one_float){3}).a, one_double((struct one_double){1}).a, twelve(numbers, &numbers).a[0]);
    struct long_doubles result = wide((struct long_doubles){0.375L, 'a'}, (struct empty){}, 2);
    printf("%Lg %c\n", result.a, result.b);
    printf("%lld %g %d\n", (long long)fast(1, 2, 1LL << 40, 4), standard(1.5, 2.5f, -3), registers(1, &result, -2, 1000));
    float complex f = single(3 - I);
    double complex d = twice(0.5 + 4 * I);
    long double complex x = extended(1 + 0.5L * I, 3);
    printf("%g %g %g %g %Lg %Lg\n", crealf(f), cimagf(f), creal(d), cimag(d), creall(x), cimagl(x));
    list("cqdLpbowzt", 'a', -(1LL << 50), 0.125, 1e100L, "text", (struct byte){5}, (struct odd){1, 2, 9},
         (struct long_doubles){6.5L, 'x'}, 1 + 7.5 * I, (struct twelve){{0, 0, 11}});
    int64_t (*volatile indirect)(int, char, int64_t, int) __attribute__((fastcall)) = fast;
    printf("%lld\n", (long long)indirect(5, -1, 6, 7));
    return 0;
}
