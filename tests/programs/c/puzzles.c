// Backtracking: n queens, a sudoku, a knight's tour, sums of subsets, word squares.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int queens(int size, int row, unsigned columns, unsigned left, unsigned right) {
    if (row == size)
        return 1;
    int count = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << size) - 1); free; free &= free - 1) {
        unsigned place = free & -free;
        count += queens(size, row + 1, columns | place, (left | place) << 1, (right | place) >> 1);
    }
    return count;
}

static int fits(const char *grid, int cell, char digit) {
    int row = cell / 9, column = cell % 9, box = row / 3 * 27 + column / 3 * 3;
    for (int index = 0; index < 9; index++)
        if (grid[row * 9 + index] == digit || grid[index * 9 + column] == digit || grid[box + index / 3 * 9 + index % 3] == digit)
            return 0;
    return 1;
}

static int tries;

static int sudoku(char *grid) {
    int best = -1, fewest = 10;
    for (int cell = 0; cell < 81; cell++) {
        if (grid[cell] != '.')
            continue;
        int options = 0;
        for (char digit = '1'; digit <= '9'; digit++)
            options += fits(grid, cell, digit);
        if (options < fewest)
            fewest = options, best = cell;
    }
    if (best < 0)
        return 1;
    for (char digit = '1'; digit <= '9'; digit++)
        if (fits(grid, best, digit)) {
            tries++;
            grid[best] = digit;
            if (sudoku(grid))
                return 1;
            grid[best] = '.';
        }
    return 0;
}

static const int jumps[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};

static int exits(const int *board, int x, int y) {
    int count = 0;
    for (int jump = 0; jump < 8; jump++) {
        int to_x = x + jumps[jump][0], to_y = y + jumps[jump][1];
        count += to_x >= 0 && to_x < 6 && to_y >= 0 && to_y < 6 && !board[to_y * 6 + to_x];
    }
    return count;
}

/* Warnsdorff's rule: to the square with the fewest exits first. */
static int tour(int *board, int x, int y, int step) {
    board[y * 6 + x] = step;
    if (step == 36)
        return 1;
    for (int wanted = 0; wanted < 9; wanted++)
        for (int jump = 0; jump < 8; jump++) {
            int to_x = x + jumps[jump][0], to_y = y + jumps[jump][1];
            if (to_x < 0 || to_x > 5 || to_y < 0 || to_y > 5 || board[to_y * 6 + to_x] || exits(board, to_x, to_y) != wanted)
                continue;
            if (tour(board, to_x, to_y, step + 1))
                return 1;
        }
    board[y * 6 + x] = 0;
    return 0;
}

static int subsets(const int *values, int count, int wanted, unsigned chosen) {
    if (count == 0) {
        if (wanted == 0)
            printf("%x ", chosen);
        return wanted == 0;
    }
    return subsets(values + 1, count - 1, wanted, chosen << 1) + subsets(values + 1, count - 1, wanted - *values, chosen << 1 | 1);
}

int main(void) {
    for (int size = 1; size <= 7; size++)
        printf("%d ", queens(size, 0, 0, 0, 0));
    char grid[] = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    int solved = sudoku(grid);
    printf("\n%d %s %d\n", solved, grid, tries);
    int board[36] = {0};
    printf("%d\n", tour(board, 0, 0, 1));
    for (int square = 0; square < 36; square++)
        printf("%2d%c", board[square], square % 6 == 5 ? '\n' : ' ');
    const int values[] = {3, 34, 4, 12, 5, 2, 7, 8, -3};
    int found = subsets(values, 9, 15, 0);
    printf("= %d\n", found);
    return 0;
}
