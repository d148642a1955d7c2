// Multi-dimensional arrays, pointers to arrays, pointer arithmetic and comparison, pointers to pointers, casts.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cube[3][4][5];
static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

static int sum_rows(int (*rows)[5], int count) {
    int total = 0;
    for (int (*row)[5] = rows; row < rows + count; row++)
        for (int *cell = *row; cell != *row + 5; ++cell)
            total = (total * 7 + *cell) % 100003;
    return total;
}

static void transpose(const int in[2][3], int out[3][2]) {
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            out[column][row] = in[row][column];
}

static void rotate_left(int **pointers, int count) {
    int *first = pointers[0];
    memmove(pointers, pointers + 1, (size_t)(count - 1) * sizeof *pointers);
    pointers[count - 1] = first;
}

static const char *find_last(const char *text, char wanted) {
    for (const char *at = text + strlen(text); at-- > text;)
        if (*at == wanted)
            return at;
    return NULL;
}

static int **make_grid(int rows, int columns) {
    int **grid = malloc((size_t)rows * sizeof *grid);
    for (int row = 0; row < rows; row++) {
        grid[row] = malloc((size_t)columns * sizeof **grid);
        for (int column = 0; column < columns; column++)
            grid[row][column] = row * columns + column;
    }
    return grid;
}

struct packet { uint8_t kind; uint16_t size; uint32_t check; } __attribute__((packed));

static void serialise(void) {
    unsigned char bytes[sizeof(struct packet) + 3];
    struct packet packet = {7, 0x1234, 0xdeadbeef};
    memcpy(bytes + 1, &packet, sizeof packet);
    const struct packet *unaligned = (const struct packet *)(bytes + 1);
    printf("%u %x %x %zu %zu\n", unaligned->kind, unaligned->size, unaligned->check, sizeof packet, offsetof(struct packet, check));
    uint32_t read;
    memcpy(&read, bytes + 3, sizeof read);
    printf("%08x\n", read);
}

int main(void) {
    int *flat = &cube[0][0][0];
    for (int index = 0; index < 60; index++)
        (&cube[index / 20][index / 5 % 4][0])[index % 5] = index * index % 97;
    printf("%d %d %d\n", sum_rows(cube[1], 4), (int)(&cube[2][3][4] - &cube[2][0][0]) >= 0, flat[4]);
    const int in[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int out[3][2];
    transpose(in, out);
    printf("%d %d %d %zu\n", out[2][0], out[0][1], (*(out + 1))[1], sizeof out);
    int values[5] = {10, 20, 30, 40, 50}, *pointers[5];
    for (int index = 0; index < 5; index++)
        pointers[index] = &values[4 - index];
    rotate_left(pointers, 5);
    for (int **at = pointers; at < pointers + 5; at++)
        printf("%d(%td) ", **at, *at - values);
    int *low = values, *high = values + 4;
    while (low < high) {
        int kept = *low;
        *low++ = *high;
        *high-- = kept;
    }
    printf("%d %d %d %d\n", values[0], values[4], low == high, *(low - 1) + high[1]);
    const char *path = "path/to/file";
    printf("%s %td\n", find_last(path, '/'), find_last(path, '/') - path);
    int **grid = make_grid(4, 6);
    int sum = 0;
    for (int row = 0; row < 4; row++) {
        sum += grid[row][5 - row] * *(*(grid + row) + row);
        free(grid[row]);
    }
    free(grid);
    printf("%d %s %c\n", sum, days[3], *(*(days + 5) + 1));
    serialise();
    uintptr_t address = (uintptr_t)&values[3];
    int *again = (int *)(address & ~(uintptr_t)0);
    printf("%d %d %d\n", *again, again > values, again <= &values[3]);
    char *bytes = (char *)&values[1];
    bytes += sizeof(int) * 2;
    printf("%d %d\n", *(int *)(void *)bytes, (int)((int *)(void *)bytes - values));
    const void *pair[2] = {values, days};
    printf("%d %s %d\n", ((const int *)pair[0])[2], ((const char *const *)pair[1])[6], !pair[0]);
    return 0;
}
