// Cellular automata: the game of life on a torus, rule 110, Langton's ant.
#include <stdio.h>
#include <string.h>

enum { HEIGHT = 16, WIDTH = 24 };
typedef unsigned char world[HEIGHT][WIDTH];

static int neighbours(const world cells, int row, int column) {
    int count = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            if (x || y)
                count += cells[(row + y + HEIGHT) % HEIGHT][(column + x + WIDTH) % WIDTH];
    return count;
}

static int generation(world cells) {
    world next;
    int alive = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            int count = neighbours(cells, row, column);
            next[row][column] = count == 3 || (count == 2 && cells[row][column]);
            alive += next[row][column];
        }
    memcpy(cells, next, sizeof next);
    return alive;
}

static void show(const world cells) {
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++)
            putchar(cells[row][column] ? '#' : '.');
        putchar('\n');
    }
}

static void rule(unsigned number, int generations) {
    unsigned long long row = 1ull << 60;
    for (int index = 0; index < generations; index++) {
        for (int bit = 63; bit >= 0; bit--)
            putchar(row >> bit & 1 ? '#' : ' ');
        putchar('\n');
        unsigned long long next = 0;
        for (int bit = 0; bit < 64; bit++) {
            unsigned pattern = (unsigned)(row >> ((bit + 1) % 64) & 1) << 2 | (unsigned)(row >> bit & 1) << 1 | (unsigned)(row >> ((bit + 63) % 64) & 1);
            next |= (unsigned long long)(number >> pattern & 1) << bit;
        }
        row = next;
    }
}

static int ant(int steps) {
    world cells = {{0}};
    int x = WIDTH / 2, y = HEIGHT / 2, direction = 0;
    for (int step = 0; step < steps; step++) {
        direction = (direction + (cells[y][x] ? 3 : 1)) % 4;
        cells[y][x] ^= 1;
        x = (x + (direction == 1) - (direction == 3) + WIDTH) % WIDTH;
        y = (y + (direction == 2) - (direction == 0) + HEIGHT) % HEIGHT;
    }
    int black = 0;
    for (int index = 0; index < HEIGHT * WIDTH; index++)
        black += cells[index / WIDTH][index % WIDTH];
    return black;
}

int main(void) {
    world cells = {{0}};
    static const char *const glider[] = {".#.....", "..#....", "###....", "....###"};
    for (int row = 0; row < 4; row++)
        for (int column = 0; glider[row][column]; column++)
            cells[row][column] = glider[row][column] == '#';
    for (int step = 0; step < 30; step++)
        printf("%d ", generation(cells));
    putchar('\n');
    show(cells);
    rule(110, 12);
    printf("%d\n", ant(2000));
    return 0;
}
