// Structures passed and returned by value: in registers, in memory, mixed with floats, nested, in arrays.
#include <stdio.h>

struct one_byte { char a; };
struct three_bytes { char a, b, c; };
struct pair { int a; long b; };
struct two_doubles { double a, b; };
struct mixed { double a; int b; };
struct four_floats { float a, b, c, d; };
struct large { int values[10]; double weight; };
struct nested { struct pair pair; struct { short x; struct three_bytes bytes; } inner; struct mixed list[2]; };
struct with_long_double { long double a; int b; };
struct with_array { char text[13]; };
struct odd { float a; char b; };
struct empty_tail { long a; char b; };

static struct one_byte next_byte(struct one_byte in) { return (struct one_byte){(char)(in.a + 1)}; }
static struct three_bytes turn(struct three_bytes in) { return (struct three_bytes){in.b, in.c, in.a}; }
static struct pair swap(struct pair in) { return (struct pair){(int)in.b, in.a}; }
static struct two_doubles scale(struct two_doubles in, double by) { return (struct two_doubles){in.a * by, in.b / by}; }
static struct mixed mix(int b, struct mixed in, double a) { return (struct mixed){in.a + a, in.b - b}; }

static struct four_floats add(struct four_floats left, struct four_floats right) {
    return (struct four_floats){left.a + right.a, left.b + right.b, left.c + right.c, left.d + right.d};
}

static struct large reversed(struct large in) {
    struct large out = in;
    for (int index = 0; index < 10; index++)
        out.values[index] = in.values[9 - index];
    in.weight = -1;
    out.weight = in.weight * out.weight;
    return out;
}

static struct nested deeper(struct nested in, int depth) {
    in.pair = swap(in.pair);
    in.inner.x = (short)(in.inner.x + depth);
    in.inner.bytes = turn(in.inner.bytes);
    in.list[depth & 1] = mix(depth, in.list[depth & 1], 0.5);
    return depth ? deeper(in, depth - 1) : in;
}

/* More than fit the registers: some of these go by memory. */
static double many(struct pair a, struct two_doubles b, struct mixed c, struct pair d, struct four_floats e, struct pair f,
                   struct two_doubles g, struct two_doubles h, struct mixed i, struct odd j, struct empty_tail k) {
    return a.a + a.b + b.a + b.b + c.a + c.b + d.a * d.b + e.a + e.d + f.a - f.b + g.a * g.b + h.a - h.b + i.a / (i.b + 1) +
           j.a * j.b + k.a - k.b;
}

static struct with_long_double precise(struct with_long_double in) { return (struct with_long_double){in.a / 3, in.b + 1}; }
static struct with_array shout(struct with_array in) {
    for (char *at = in.text; *at; at++)
        if (*at >= 'a' && *at <= 'z')
            *at -= 32;
    return in;
}

static int sum_by_pointer(const struct large *in) {
    int sum = 0;
    for (int index = 0; index < 10; index++)
        sum += in->values[index];
    return sum;
}

int main(void) {
    printf("%c\n", next_byte(next_byte((struct one_byte){'x'})).a);
    struct three_bytes bytes = turn(turn((struct three_bytes){'1', '2', '3'}));
    printf("%c%c%c\n", bytes.a, bytes.b, bytes.c);
    struct pair pair = swap((struct pair){-7, 1234567});
    printf("%d %ld\n", pair.a, pair.b);
    struct two_doubles doubles = scale((struct two_doubles){1.5, 9}, 4);
    printf("%g %g\n", doubles.a, doubles.b);
    struct four_floats floats = {0.5f, 1.5f, -2.5f, 3.5f};
    for (int index = 0; index < 4; index++)
        floats = add(floats, floats);
    printf("%g %g %g %g\n", floats.a, floats.b, floats.c, floats.d);
    struct large array[3] = {{{1, 2, 3}, 2.5}, {{9, 8, 7, 6, 5, 4, 3, 2, 1}, 4}};
    array[2] = reversed(array[1]);
    array[0] = reversed(reversed(array[0]));
    for (int index = 0; index < 3; index++)
        printf("%d %d %d %g\n", array[index].values[0], array[index].values[9], sum_by_pointer(&array[index]), array[index].weight);
    struct nested nested = {{1, 2}, {10, {'a', 'b', 'c'}}, {{1, 10}, {2, 20}}};
    nested = deeper(nested, 5);
    printf("%d %ld %d %c%c%c %g %d %g %d\n", nested.pair.a, nested.pair.b, nested.inner.x, nested.inner.bytes.a,
           nested.inner.bytes.b, nested.inner.bytes.c, nested.list[0].a, nested.list[0].b, nested.list[1].a, nested.list[1].b);
    printf("%.10g\n", many(pair, doubles, nested.list[0], pair, floats, pair, doubles, doubles, nested.list[1],
                           (struct odd){2.25f, 'A'}, (struct empty_tail){77, 'B'}));
    struct with_long_double precisely = precise((struct with_long_double){1.0L, 41});
    printf("%.20Lf %d\n", precisely.a, precisely.b);
    printf("%s\n", shout((struct with_array){"hello, world"}).text);
    struct pair (*indirect)(struct pair) = swap;
    printf("%ld\n", indirect((struct pair){3, 4}).b);
    return 0;
}
