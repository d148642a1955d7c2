// _Generic, inline, _Static_assert, statement expressions, typeof, nested conditionals, volatile, restrict, comma, cleanup.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define kind(value)                                                                                                    \
    _Generic((value), int: "int", unsigned: "unsigned", long: "long", double: "double", float: "float", char *: "text", \
             const char *: "constant text", int *: "pointer", default: "other")
#define largest(left, right)                                                                                           \
    ({                                                                                                                 \
        __typeof__(left) left_ = (left);                                                                               \
        __typeof__(right) right_ = (right);                                                                            \
        left_ > right_ ? left_ : right_;                                                                               \
    })
#define STRINGIFY(text) #text
#define EXPANDED(text) STRINGIFY(text)
#define JOIN(left, right) left##right
#define COUNT_OF(...) (sizeof((int[]){__VA_ARGS__}) / sizeof(int))

_Static_assert(sizeof(int) == 4, "four bytes");
static inline int square(int value) { return value * value; }
static inline __attribute__((always_inline)) int cube(int value) { return value * square(value); }
__attribute__((noinline)) static int opaque(int value) { return value; }

static void add_arrays(int count, int *restrict out, const int *restrict left, const int *restrict right) {
    for (int index = 0; index < count; index++)
        out[index] = left[index] + right[index] * 2;
}

static void cleaned(const int *value) { printf("cleaned %d\n", *value); }

static int scoped(int early) {
    int first __attribute__((cleanup(cleaned))) = 1;
    {
        int inner __attribute__((cleanup(cleaned))) = 2;
        if (early)
            return first + inner;
    }
    int last __attribute__((cleanup(cleaned))) = 3;
    return first + last;
}

static int order(int value, int *trace) {
    *trace = *trace * 10 + value;
    return value;
}

static _Noreturn void give_up(const char *why);

static int checked(int value) {
    if (value < 0)
        give_up("negative");
    return value;
}

static volatile int device = 5;
static int poll(void) {
    int sum = 0;
    while (device > 0) {
        sum += device;
        device--;
    }
    device = 3;
    return sum + device;
}

static uint32_t hash(const void *data, int length) {
    const uint8_t(*bytes)[] = data;
    uint32_t value = 5381;
    for (int index = 0; index < length; index++)
        value = value * 33 ^ (*bytes)[index];
    return value;
}

int main(void) {
    char text[] = "abc";
    const char *constant = text;
    int number = 3;
    printf("%s %s %s %s %s %s %s %s\n", kind(1), kind(1u), kind(1L), kind(1.0), kind(1.0f), kind(text), kind(constant), kind(&number));
    printf("%d %g %ld %d\n", largest(3, 7), largest(2.5, 1), largest(-1L, 4), cube(opaque(3)));
    printf("%s %s %d %zu\n", STRINGIFY(a + b), EXPANDED(COUNT_OF(1, 2)), JOIN(12, 34), COUNT_OF(1, 2, 3, 4));
    int left[20], right[20], out[20];
    for (int index = 0; index < 20; index++)
        left[index] = index, right[index] = index * index;
    add_arrays(20, out, left, right);
    for (int index = 0; index < 20; index++)
        printf("%d ", out[index]);
    printf("%d\n", scoped(opaque(0)));
    printf("%d\n", scoped(opaque(1)));
    int trace = 0;
    int logical = order(0, &trace) && order(1, &trace);
    logical += order(2, &trace) || order(3, &trace);
    int comma = (order(4, &trace), order(5, &trace));
    int chosen = order(6, &trace) > 5 ? order(7, &trace) : order(8, &trace);
    printf("%d %d %d %d\n", trace, logical, comma, chosen);
    printf("%d %d\n", checked(5), poll());
    printf("%u %s %d\n", hash("hash me", 7), __func__, __LINE__ > 0);
    for (int value = 0, other = 10; value < other; value += 3, other--)
        printf("%d/%d ", value, other);
    number = number + 1 > 3 ? number - 1 : number + 1;
    printf("%d %d %d\n", number, sizeof(number) == 4 ? number : 0, 5 [left]);
    return checked(opaque(true)) ? 0 : 1;
}

static _Noreturn void give_up(const char *why) {
    printf("%s\n", why);
    while (1)
        __builtin_trap();
}
