/* Inline assembly in its forms, built-in functions, overflow arithmetic, bit operations. */
#include <stdint.h>
#include <string.h>

static inline uint64_t rotate(uint64_t v, int n)
{
    __asm__("rolq %b1, %0" : "+r"(v) : "c"(n) : "cc");
    return v;
}

void barrier(void) { __asm__ volatile("" ::: "memory"); }

int jump(int x)
{
    __asm__ goto("testl %0, %0\n\tjne %l[elsewhere]" : : "r"(x) : "cc" : elsewhere);
    return 0;
elsewhere:
    return 1;
}

unsigned identify(unsigned leaf)
{
    unsigned a, b, c, d;
    __asm__ volatile("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(leaf), "c"(0));
    return a ^ b ^ c ^ d;
}

void indirect(int *p) { __asm__("incl %0" : "+m"(*p)); }

int overflow(int a, int b, unsigned *u, long *l)
{
    int r;
    int flags = __builtin_add_overflow(a, b, &r);
    flags += __builtin_umul_overflow(*u, 3u, u);
    flags += __builtin_ssubl_overflow(*l, a, l);
    return flags ? -1 : r;
}

int bits(unsigned v, uint64_t w)
{
    return __builtin_popcount(v) + __builtin_clz(v | 1) + __builtin_ctzll(w | 1) + (int)__builtin_bswap64(w) +
           __builtin_parity(v) + __builtin_ffs((int)v);
}

int hints(int *p, int n)
{
    __builtin_assume(n > 0);
    p = __builtin_assume_aligned(p, 32);
    __builtin_prefetch(p + 8, 0, 1);
    if (__builtin_expect(p[0] == 3, 0))
        __builtin_trap();
    if (n == 77)
        __builtin_unreachable();
    return __builtin_object_size(p, 0) == (unsigned long)-1 ? __builtin_constant_p(n) : p[n];
}

void *frames(void) { return (char *)__builtin_frame_address(0) + (long)__builtin_return_address(0); }

void moves(char *a, const char *b, unsigned n)
{
    memmove(a, b, n);
    memcpy(a, b, 24);
    memset(a + n, 0, 16);
}

uint64_t all(uint64_t v) { return rotate(v, 3) + (uint64_t)frames(); }
