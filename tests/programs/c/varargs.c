// Functions with variable arguments: all kinds of arguments, many of them, va_copy, wrappers around vprintf.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct small { int a, b; };
struct real { double a, b; };
struct mixed { long a; double b; };
struct large { char text[24]; int number; };

static void typed(const char *types, ...) {
    va_list list;
    va_start(list, types);
    for (; *types; types++)
        switch (*types) {
        case 'i': printf("%d ", va_arg(list, int)); break;
        case 'u': printf("%u ", va_arg(list, unsigned)); break;
        case 'l': printf("%ld ", va_arg(list, long)); break;
        case 'd': printf("%g ", va_arg(list, double)); break;
        case 'L': printf("%Lg ", va_arg(list, long double)); break;
        case 's': printf("%s ", va_arg(list, const char *)); break;
        case 'S': {
            struct small value = va_arg(list, struct small);
            printf("{%d %d} ", value.a, value.b);
            break;
        }
        case 'R': {
            struct real value = va_arg(list, struct real);
            printf("{%g %g} ", value.a, value.b);
            break;
        }
        case 'M': {
            struct mixed value = va_arg(list, struct mixed);
            printf("{%ld %g} ", value.a, value.b);
            break;
        }
        case 'B': {
            struct large value = va_arg(list, struct large);
            printf("{%s %d} ", value.text, value.number);
            break;
        }
        case 'f': printf("%d ", va_arg(list, int (*)(const char *))("called")); break;
        }
    va_end(list);
    putchar('\n');
}

static int length(const char *text) { return (int)strlen(text); }

static int64_t sum_twice(int count, ...) {
    va_list first, second;
    va_start(first, count);
    va_copy(second, first);
    int64_t sum = 0;
    for (int index = 0; index < count; index++)
        sum += va_arg(first, int);
    for (int index = 0; index < count; index++)
        sum += va_arg(second, int) * 100;
    va_end(second);
    va_end(first);
    return sum;
}

static int take(va_list *list) { return va_arg(*list, int); }

static int by_pointer(int count, ...) {
    va_list list;
    va_start(list, count);
    int result = 0;
    while (count--)
        result = result * 10 + take(&list);
    va_end(list);
    return result;
}

__attribute__((format(printf, 2, 3))) static int format(char *out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int written = vsnprintf(out, 64, format, list);
    va_end(list);
    return written;
}

static void logged(int level, const char *format, ...) {
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    printf("%*s", level * 2, "");
    vprintf(format, list);
    char again[40];
    int needed = vsnprintf(again, sizeof again, format, copy);
    printf(" (%d: %s)\n", needed, again);
    va_end(copy);
    va_end(list);
}

int main(void) {
    typed("iulds", -1, 4000000000u, (long)-5000000000, 2.5, "text");
    typed("dididididididididididi", 1., 1, 2., 2, 3., 3, 4., 4, 5., 5, 6., 6, 7., 7, 8., 8, 9., 9, 10., 10, 11., 11);
    typed("LiLdLs", 1.5L, 7, 2.5L, 0.5, 1e4000L, "end");
    typed("SRMBi", (struct small){1, -2}, (struct real){0.25, 4}, (struct mixed){9, 0.75}, (struct large){"a large one", 3}, 5);
    typed("iSSSSRRRRRMMMM", 0, (struct small){1, 2}, (struct small){3, 4}, (struct small){5, 6}, (struct small){7, 8},
          (struct real){1, 2}, (struct real){3, 4}, (struct real){5, 6}, (struct real){7, 8}, (struct real){9, 10},
          (struct mixed){1, 2}, (struct mixed){3, 4}, (struct mixed){5, 6}, (struct mixed){7, 8});
    typed("fi", length, (signed char)-3);
    typed("id", (short)-7, 1.5f);
    printf("%ld\n", (long)sum_twice(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%d\n", by_pointer(9, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    char buffer[64];
    int written = format(buffer, "%s-%d-%c-%5.2f-%x", "wrapped", 42, 'z', 3.14159, 0xbeef);
    printf("%d %s\n", written, buffer);
    for (int level = 0; level < 4; level++)
        logged(level, "level %d of %s, %g and %lld, %Lg", level, "four", level / 8.0, 1LL << (level * 10), 1.0L / (level + 1));
    return 0;
}
