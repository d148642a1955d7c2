// Initialisers of globals and locals: addresses, designators, nested, compound literals, strings, static locals.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; const char *name; };

static int numbers[10] = {1, 2, [5] = 50, 51, [2] = 20, [9] = 90};
static int *const middle = &numbers[5], *past_end = numbers + 10;
static const char *const names[] = {"zero", "one", [4] = "four", "five"};
static char letters[] = "letters", exact[4] = "four", padded[10] = "pad";
static struct line lines[] = {{{1, 2}, {3, 4}, "plain"}, {.to = {.y = 7}, .name = "designated"}, [3] = {.from.x = 9, .to.y = 8, .name = "dotted"}};
static struct point *corner = &lines[3].to;
static const ptrdiff_t distance = offsetof(struct line, name);
static int (*printer)(const char *, ...) = printf;
static uintptr_t as_integer = (uintptr_t)numbers;
static struct { struct list { int value; struct list *next; } a, b, c; } ring = {{1, &ring.b}, {2, &ring.c}, {3, &ring.a}};
static const double table[2][3] = {{0.5, 1.5}, {[2] = 2.5}};
static union { int integer; char bytes[8]; } overlay = {.bytes = "abc"};
static const struct point origin, *const points[2] = {&origin, &(struct point){5, 6}};
static _Bool truth = 3 > 2;
static float converted = 7, *address_of = &converted;
static enum { A = 3, B, C = A * B } tag = C;
static const wchar_t wide[] = L"wide";
static const unsigned char bytes[] = {"\x01\x02\377\0end"};
int tentative;
int tentative;
extern int declared_later;

static int counter(void) {
    static int calls, list[3] = {10, 20, 30};
    static int *current = list;
    calls++;
    current = list + calls % 3;
    return (*current)++ * 100 + calls;
}

static int sum(const struct point *list, int count) {
    int total = 0;
    while (count--)
        total += list[count].x * list[count].y;
    return total;
}

static struct line make(int seed) { return (struct line){.from = {seed, seed + 1}, .to = (struct point){.x = seed * 2}, .name = seed & 1 ? "odd" : "even"}; }

int main(void) {
    for (int index = 0; index < 10; index++)
        printer("%d ", numbers[index]);
    printer("%d %td %d\n", *middle, past_end - middle, as_integer == (uintptr_t)&numbers[0]);
    for (unsigned index = 0; index < sizeof names / sizeof *names; index++)
        printf("%s ", names[index] ? names[index] : "-");
    printf("%zu %.4s %zu %s\n", sizeof letters, exact, sizeof padded, padded);
    for (unsigned index = 0; index < sizeof lines / sizeof *lines; index++)
        printf("%d %d %d %d %s\n", lines[index].from.x, lines[index].from.y, lines[index].to.x, lines[index].to.y,
               lines[index].name ? lines[index].name : "-");
    corner->x = 77;
    printf("%d %td\n", lines[3].to.x, distance);
    struct list *at = &ring.a;
    for (int step = 0; step < 7; step++, at = at->next)
        printf("%d ", at->value);
    printf("%g %g %g %s %d\n", table[0][1], table[0][2], table[1][2], overlay.bytes, overlay.integer);
    printf("%d %d %d %d %g %d %ls %zu\n", points[0]->x, points[1]->y, truth, tag, *address_of, tentative + declared_later, wide, sizeof bytes);
    for (int call = 0; call < 7; call++)
        printf("%d ", counter());
    printf("%d\n", sum((struct point[]){{1, 2}, {3, 4}, {5, 6}}, 3));
    for (int seed = 0; seed < 3; seed++) {
        struct line line = make(seed);
        struct line local[2] = {line, {.name = "second"}};
        int *values = (int[]){seed, seed * seed, [4] = 4};
        printf("%s %s %d %d %d\n", local[0].name, local[1].name, local[1].from.y, values[1], values[4]);
    }
    char grid[3][4] = {"abc", {'d'}, [2] = "ghi"};
    printf("%s %s %s\n", grid[0], grid[1], grid[2]);
    return 0;
}

int declared_later = 12;
