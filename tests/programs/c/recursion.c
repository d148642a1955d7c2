// Recursion: Ackermann, Hanoi, mutual, permutations, memoised, with structures; assertions that hold.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int ackermann(int m, int n) {
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int moves;
static char pegs[3][12];

static void hanoi(int disks, int from, int to, int over) {
    if (disks == 0)
        return;
    hanoi(disks - 1, from, over, to);
    size_t last = strlen(pegs[from]) - 1, end = strlen(pegs[to]);
    pegs[to][end] = pegs[from][last];
    pegs[to][end + 1] = 0;
    pegs[from][last] = 0;
    moves++;
    hanoi(disks - 1, over, to, from);
}

static int is_odd(unsigned number);
static int is_even(unsigned number) { return number == 0 ? 1 : is_odd(number - 1); }
static int is_odd(unsigned number) { return number == 0 ? 0 : is_even(number - 1); }

static int female(int n);
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }

static void permute(char *text, int from, int *count, unsigned *hash) {
    if (!text[from]) {
        ++*count;
        for (const char *at = text; *at; at++)
            *hash = *hash * 131 + (unsigned char)*at;
        return;
    }
    for (int index = from; text[index]; index++) {
        char kept = text[from];
        text[from] = text[index], text[index] = kept;
        permute(text, from + 1, count, hash);
        kept = text[from], text[from] = text[index], text[index] = kept;
    }
}

static unsigned long memory[91];
static unsigned long fibonacci(int n) { return n < 2 ? (unsigned long)n : memory[n] ? memory[n] : (memory[n] = fibonacci(n - 1) + fibonacci(n - 2)); }

static int partitions(int total, int largest) {
    if (total == 0)
        return 1;
    int count = 0;
    for (int part = largest < total ? largest : total; part > 0; part--)
        count += partitions(total - part, part);
    return count;
}

struct span { int low, high; };
static struct span extremes(const int *values, int count) {
    if (count == 1)
        return (struct span){values[0], values[0]};
    struct span left = extremes(values, count / 2), right = extremes(values + count / 2, count - count / 2);
    return (struct span){left.low < right.low ? left.low : right.low, left.high > right.high ? left.high : right.high};
}

static double power(double base, int exponent) {
    if (exponent < 0)
        return 1 / power(base, -exponent);
    double half = exponent > 1 ? power(base, exponent / 2) : 1;
    return half * half * (exponent % 2 ? base : 1);
}

static int depth_of(int depth) { return depth == 0 ? 0 : 1 + depth_of(depth - 1); }

int main(void) {
    printf("%d %d %d\n", ackermann(1, 5), ackermann(2, 4), ackermann(2, 9));
    strcpy(pegs[0], "987654321");
    hanoi(9, 0, 2, 1);
    assert(moves == (1 << 9) - 1 && "2^n - 1 moves");
    printf("%d [%s][%s][%s]\n", moves, pegs[0], pegs[1], pegs[2]);
    printf("%d %d\n", is_even(500), is_odd(501));
    for (int n = 0; n < 20; n++)
        printf("%d%c", n % 2 ? male(n) : female(n), n == 19 ? '\n' : ' ');
    char text[] = "abcdef";
    int count = 0;
    unsigned hash = 0;
    permute(text, 0, &count, &hash);
    assert(count == 720);
    printf("%d %u %s\n", count, hash, text);
    printf("%lu %d\n", fibonacci(90), partitions(18, 18));
    const int values[] = {5, -3, 17, 0, 44, -28, 9};
    struct span span = extremes(values, 7);
    printf("%d %d %.12g %.12g\n", span.low, span.high, power(1.1, 31), power(3, -4));
    printf("%d\n", depth_of(5000));
    return 0;
}
