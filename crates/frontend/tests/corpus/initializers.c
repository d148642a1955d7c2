/* Initialisers of all shapes: strings, nested aggregates, addresses with offsets, function pointers, big tables. */
#include <stdint.h>

const char plain[] = "text with \"quotes\", a tab\t, a nul\0 and bytes \x80\xff";
const char exact[4] = "abcd";
char padded[10] = "pad";
const char *const words[] = {"alpha", "beta", "", 0, "alpha"};
const uint16_t wide[] = u"w\u00eflde";
const uint32_t wider[] = U"\U0001F600";

static int values[5] = {10, 20, 30};
int *middle = &values[2];
int *before = values - 1;
char *odd = (char *)&values[1] + 3;
uintptr_t as_number = (uintptr_t)&values[3];
long difference = 17 - 4 * 3;

struct entry {
    const char *name;
    int (*run)(int, const struct entry *);
    union {
        int number;
        const char *text;
        double real;
    } data;
    struct {
        short a;
        char b[3];
    } inner[2];
    const struct entry *link;
};

static int first(int n, const struct entry *e) { return n + e->data.number; }
static int second(int n, const struct entry *e) { return n - e->inner[1].b[2]; }

const struct entry entries[] = {
    {"first", first, {.number = 3}, {{1, {1, 2, 3}}, {-1, "xy"}}, &entries[1]},
    {"second", second, {.text = "payload"}, {{0}}, &entries[0]},
    {.name = "third", .data.real = 2.5, .inner[1].b[1] = 'q'},
};

const struct entry *cursor = &entries[1];
const short *deep = &entries[2].inner[1].a;

int zeros[1000];
struct entry blank;
const double weights[3][4] = {{1, 2}, {[3] = 4}, {0}};
const int8_t small[] = {-1, -2, 127, -128};
const uint64_t large[] = {0xffffffffffffffffu, 1, 0x8000000000000000u};
_Bool booleans[] = {1, 0, 1};

const uint32_t crc_table[256] = {
#define ROW(n) n * 0x01000193u, n * 0x77073096u, (n + 1) * 0xee0e612cu, (n ^ 5) * 0x990951bau
#define ROWS(n) ROW(n), ROW(n + 1), ROW(n + 2), ROW(n + 3), ROW(n + 4), ROW(n + 5), ROW(n + 6), ROW(n + 7)
    ROWS(0), ROWS(8), ROWS(16), ROWS(24), ROWS(32), ROWS(40), ROWS(48), ROWS(56),
};

int (*const table[])(int, const struct entry *) = {first, second, 0, first};

int call(int i, int n) { return table[i & 3](n, cursor) + *deep + *middle + plain[i]; }

const char *word(int i) { return words[i]; }

struct empty {
};
struct empty nothing;
struct flexible {
    int n;
    char tail[];
};
struct flexible bendy = {3, "abc"};
