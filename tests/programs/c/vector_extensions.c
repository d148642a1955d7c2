// GCC's vector types: arithmetic, comparisons, shuffles, conversions, subscripts, passing by value.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int32_t int4 __attribute__((vector_size(16)));
typedef uint32_t unsigned4 __attribute__((vector_size(16)));
typedef float float4 __attribute__((vector_size(16)));
typedef double double2 __attribute__((vector_size(16)));
typedef int64_t long2 __attribute__((vector_size(16)));
typedef uint8_t byte16 __attribute__((vector_size(16)));
typedef int16_t short8 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));

static void show(int4 value) { printf("%d %d %d %d\n", value[0], value[1], value[2], value[3]); }
static void show_floats(float4 value) { printf("%g %g %g %g\n", value[0], value[1], value[2], value[3]); }

static int4 step(int4 left, int4 right) { return left * right - (left ^ right) + (left >> 2); }
static float dot(float4 left, float4 right) {
    float4 product = left * right;
    return product[0] + product[1] + product[2] + product[3];
}
static float8 twice(float8 in) { return in + in; }
static int4 select_larger(int4 left, int4 right) {
    int4 mask = left > right;
    return (left & mask) | (right & ~mask);
}

static int horizontal_maximum(const uint8_t *bytes) {
    byte16 value;
    memcpy(&value, bytes, 16);
    int largest = 0;
    for (int lane = 0; lane < 16; lane++)
        largest = value[lane] > largest ? value[lane] : largest;
    return largest;
}

int main(void) {
    int4 a = {1, -2, 30000, 2000}, b = {7, 5, -3, 9};
    show(a + b), show(a - b), show(a * b), show(a / b), show(a % b), show(-a), show(~b), show(a & b), show(a | b);
    show(a == b), show(a < b), show(select_larger(a, b)), show(a + 100), show((int4)((unsigned4)a >> 28));
    for (int round = 0; round < 4; round++) {
        a = step(a % 1000, b);
        show(a);
    }
    float4 f = {0.5f, -1.5f, 2.25f, 1e10f}, g = {3, 4, 5, 6};
    show_floats(f * g + f), show_floats(f / g), show(f < g), show_floats(__builtin_convertvector(b, float4));
    show(__builtin_convertvector(f / (float4){1, 1, 1, 1e6f}, int4));
    printf("%g\n", dot(f, g));
    double2 d = {0.1, -0.2};
    d = d * d / (double2){3, 7};
    long2 bits = (long2)d;
    printf("%a %a %lx %lx\n", d[0], d[1], (unsigned long)bits[0], (unsigned long)bits[1]);
    show(__builtin_shufflevector(a, b, 0, 4, 3, 7));
    show(__builtin_shufflevector(b, b, 3, 2, 1, 0));
    byte16 bytes;
    for (int lane = 0; lane < 16; lane++)
        bytes[lane] = (uint8_t)(lane * 37);
    bytes = bytes + bytes;
    bytes ^= bytes >> 3;
    for (int lane = 0; lane < 16; lane++)
        printf("%d ", bytes[lane]);
    printf("%d\n", horizontal_maximum((const uint8_t *)"sixteen letters!"));
    short8 shorts = (short8)bytes;
    shorts = shorts * (short8){1, 2, 3, 4, 5, 6, 7, 8} << 1;
    printf("%d %d %zu\n", shorts[0], shorts[7], sizeof shorts);
    float8 eight = {1, 2, 3, 4, 5, 6, 7, 8};
    eight = twice(eight);
    printf("%g %g\n", eight[0], eight[7]);
    int4 array[3] = {a, b};
    array[2] = array[0] - array[1];
    array[2][1] = 77;
    show(array[2]);
    return 0;
}
