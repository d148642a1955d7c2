// Sizes, alignments and the arithmetic of the types whose width depends on the machine.
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct padded { char a; double b; char c; long long d; char e; long double f; char g; void *h; };
struct packed { char a; double b; void *c; } __attribute__((packed));
struct aligned { char a; _Alignas(8) double b; };
struct bits { long a : 5; unsigned long long b : 40; long c : 7; unsigned d : 3; };
union mixed { double number; uint32_t words[2]; void *pointers[3]; };

static struct padded table[3] = {{.b = 1.5, .d = -1, .f = 2.25L, .h = &table[1]}, {.h = table}, {.d = 1LL << 40}};
static const char *const names[] = {"one", "two", NULL};

static void layouts(void) {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(long), sizeof(void *), sizeof(size_t), sizeof(long double), sizeof(time_t),
           sizeof(max_align_t));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct padded), sizeof(struct packed), sizeof(struct aligned), sizeof(struct bits),
           sizeof(union mixed));
    printf("%zu %zu %zu %zu\n", offsetof(struct padded, b), offsetof(struct padded, d), offsetof(struct padded, f),
           offsetof(struct padded, h));
    printf("%td %g %lld %Lg %d\n", (struct padded *)table[0].h - table, table[0].b, table[2].d, table[0].f, table[1].h == table);
    struct bits bits = {.a = -3, .b = 0x123456789a, .c = 60, .d = 5};
    printf("%ld %llx %ld %u\n", (long)bits.a, (unsigned long long)bits.b, (long)bits.c, bits.d);
    for (const char *const *name = names; *name; name++)
        printf("%s%c", *name, name[1] ? ' ' : '\n');
}

static void arithmetic(unsigned long a, long b, unsigned long long wide) {
    printf("%lu %lu %lu %ld\n", a + 10, a * a, a << 5, b - 1 < b ? b : -1L);
    printf("%llu %llu %lld %lld\n", wide * wide, wide / 7, (long long)wide % -1000003, (long long)wide >> 33);
    printf("%llu %llu %llu\n", wide << 1, wide << 31 << 1, wide >> (a & 31));
    printf("%lu %" PRIuPTR " %" PRIdMAX "\n", (unsigned long)wide, (uintptr_t)wide, (intmax_t)wide);
    printf("%g %g %llu %ld\n", (double)wide, (double)(long long)-wide, (unsigned long long)1.8e19, (long)-2.1e9);
    printf("%d %d\n", a > -1, wide > a);
    long product;
    unsigned long sum;
    printf("%d %d\n", __builtin_mul_overflow(b, 3L, &product), __builtin_add_overflow(a, 1UL, &sum));
    printf("%d %d %d\n", __builtin_clzl(1), __builtin_ctzll(wide << 40), __builtin_popcountll(wide));
}

static void pointers(void) {
    char *block = malloc(100);
    uintptr_t address = (uintptr_t)block;
    printf("%d %d\n", (int)(address % 16), (char *)(address + 10) - block == 10);
    printf("%d %d %d\n", malloc(SIZE_MAX) == NULL, calloc(1 << 20, 1 << 12) == NULL, malloc((size_t)INT_MAX + 1) == NULL);
    void *grown = realloc(block, 5000);
    memset(grown, 7, 5000);
    size_t wrapped = (size_t)0 - 4;
    printf("%zu %zu %d\n", wrapped, (size_t)-1 / sizeof(int), *((char *)grown + 8 + wrapped));
    free(grown);
    void *aligned = NULL;
    printf("%d %d\n", posix_memalign(&aligned, 64, 10), (int)((uintptr_t)aligned % 64));
    free(aligned);
}

static jmp_buf out;
static void leave(int depth) {
    if (depth == 0)
        longjmp(out, -7);
    leave(depth - 1);
}

static void text(void) {
    char *end;
    printf("%ld %lu %lld\n", strtol("99999999999", &end, 10), strtoul("-1", NULL, 10), strtoll("99999999999", NULL, 10));
    long number;
    long long wide;
    size_t size;
    void *pointer;
    printf("%d ", sscanf("12 123456789012 77 0x1234", "%ld %lld %zu %p", &number, &wide, &size, &pointer));
    printf("%ld %lld %zu %p %p\n", number, wide, size, pointer, (void *)0);
    printf("%lx %#llx %zx %jd %td|%*ld|%-*lld|\n", -1L, -1LL, (size_t)-1, INTMAX_MIN, (ptrdiff_t)-3, 8, 5L, 8, 6LL);
    printf("%s\n", LONG_MAX == INT_MAX ? "narrow" : "wide");
}

int main(void) {
    layouts();
    arithmetic(4000000000ul, LONG_MAX, 0xfedcba9876543210);
    pointers();
    volatile int before = 3;
    int came = setjmp(out);
    if (came == 0)
        leave(20);
    printf("%d %d\n", came, before);
    text();
    return 0;
}
