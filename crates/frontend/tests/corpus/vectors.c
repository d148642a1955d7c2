/* GCC vector extensions: arithmetic, comparison, shuffles, conversions. */
typedef int int4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
typedef unsigned char byte16 __attribute__((vector_size(16)));
typedef short short8 __attribute__((vector_size(16)));
typedef long long long2 __attribute__((vector_size(16)));

const int4 table = {1, -2, 3, 0x7fffffff};
float4 ones = {1, 1, 1, 1};
double2 halves = {0.5, 0.1};
byte16 bytes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255};

int4 blend(int4 a, int4 b) { return __builtin_shufflevector(a, b, 0, 5, 2, 7) + table; }

int4 spread(int4 a) { return __builtin_shufflevector(a, a, 0, 0, 0, 0); }

short8 halve(byte16 v) { return __builtin_convertvector(__builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14), short8); }

float4 scale(float4 v, float by) { return v * by + ones; }

int4 choose(float4 a, float4 b) { return (a < b) & table; }

int at(int4 v, int i) { return v[i]; }

int4 put(int4 v, int i, int x)
{
    v[i] = x;
    v[0] ^= 5;
    return v;
}

long2 reinterpret(double2 v) { return (long2)(v * halves); }

int4 to_int(float4 v) { return __builtin_convertvector(v, int4); }

void add_arrays(int *restrict a, const int *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] += b[i] * 3;
}

unsigned maximum(const unsigned *v, int n)
{
    unsigned best = 0;
    for (int i = 0; i < n; i++)
        if (v[i] > best)
            best = v[i];
    return best;
}
