// Function pointers: tables, callbacks with context, returned functions, methods, comparison.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*operation)(int, int);
static int add(int left, int right) { return left + right; }
static int subtract(int left, int right) { return left - right; }
static int multiply(int left, int right) { return left * right; }
static int larger(int left, int right) { return left > right ? left : right; }

static const struct { char symbol; operation apply; } operations[] = {{'+', add}, {'-', subtract}, {'*', multiply}, {'>', larger}};

static operation find(char symbol) {
    for (unsigned index = 0; index < sizeof operations / sizeof operations[0]; index++)
        if (operations[index].symbol == symbol)
            return operations[index].apply;
    return NULL;
}

static int (*chooser(int which))(int, int) { return which ? add : multiply; }

static int fold(const int *values, int count, int start, operation combine) {
    for (int index = 0; index < count; index++)
        start = combine(start, values[index]);
    return start;
}

struct walker { void (*visit)(void *context, int value); void *context; };

static void walk(int from, int to, struct walker walker) {
    for (int value = from; value < to; value++)
        walker.visit(walker.context, value);
}

static void collect(void *context, int value) { sprintf(strchr(context, 0), "%d,", value * value); }
static void count_odd(void *context, int value) { *(int *)context += value & 1; }

struct shape;
struct methods { const char *name; double (*area)(const struct shape *); void (*grow)(struct shape *, double); };
struct shape { const struct methods *methods; double a, b; };
static double rectangle_area(const struct shape *shape) { return shape->a * shape->b; }
static double ellipse_area(const struct shape *shape) { return 3.25 * shape->a * shape->b; }
static void grow_both(struct shape *shape, double by) { shape->a *= by, shape->b *= by; }
static void grow_first(struct shape *shape, double by) { shape->a += by; }
static const struct methods rectangle = {"rectangle", rectangle_area, grow_both};
static const struct methods ellipse = {"ellipse", ellipse_area, grow_first};

typedef struct state_function { struct state_function (*next)(int *); } state_function;
static state_function even(int *), odd(int *), stop(int *);
static state_function even(int *value) { return *value /= 2, *value == 1 ? (state_function){stop} : (state_function){*value % 2 ? odd : even}; }
static state_function odd(int *value) { return *value = *value * 3 + 1, (state_function){even}; }
static state_function stop(int *value) { return *value = -*value, (state_function){NULL}; }

static int apply_n(int (*function)(int), int times, int value) { return times ? apply_n(function, times - 1, function(value)) : value; }
static int successor(int value) { return value + 1; }
static double as_double(double value) { return value / 2; }

int main(void) {
    const int values[] = {3, 1, 4, 1, 5, 9, 2, 6};
    for (const char *symbol = "+-*>?"; *symbol; symbol++) {
        operation apply = find(*symbol);
        if (apply)
            printf("%c %d %d\n", *symbol, apply(7, 5), fold(values, 8, 1, apply));
        else
            printf("%c unknown\n", *symbol);
    }
    printf("%d %d %d\n", chooser(1)(3, 4), chooser(0)(3, 4), chooser(1) == add);
    char text[100] = "";
    int odd_count = 0;
    walk(0, 9, (struct walker){collect, text});
    walk(0, 9, (struct walker){count_odd, &odd_count});
    printf("%s %d\n", text, odd_count);
    struct shape shapes[] = {{&rectangle, 2, 3}, {&ellipse, 1, 4}, {&rectangle, 0.5, 8}};
    for (int round = 0; round < 2; round++)
        for (int index = 0; index < 3; index++) {
            struct shape *shape = &shapes[index];
            shape->methods->grow(shape, 1.5);
            printf("%s %g\n", shape->methods->name, shape->methods->area(shape));
        }
    int value = 27, steps = 0;
    state_function current = {odd};
    while (current.next)
        current = current.next(&value), steps++;
    printf("%d %d\n", value, steps);
    printf("%d\n", apply_n(successor, 100, 5));
    void *opaque = (void *)as_double;
    printf("%g %d\n", ((double (*)(double))opaque)(5), (*find)('?') == NULL);
    operation (*const finders[])(char) = {find, find};
    printf("%d\n", finders[1]('-')(10, 4));
    return 0;
}
