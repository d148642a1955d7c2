/* A 32-bit target: other sizes of pointers and long, long double of 96 bits, structures passed in memory.
 * flags: --target=i386-pc-linux-gnu -ffreestanding */
struct pair {
    long a;
    char *b;
};

static struct pair pairs[] = {{1, "one"}, {2, "two"}};
long double scale = 2.5L;

struct pair swap(struct pair p) { return (struct pair){(long)p.b, (char *)p.a}; }

unsigned long long shift(unsigned long long v, int n) { return v << n | pairs[n].a; }

long double twice(long double v, double d) { return v * scale + d; }

int total(const struct pair *p, unsigned n)
{
    int sum = 0;
    while (n--)
        sum += p[n].a + p[n].b[0];
    return sum;
}
