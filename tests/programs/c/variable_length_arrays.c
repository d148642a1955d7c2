// Variable length arrays, in one and two dimensions, as parameters, in loops; alloca; flexible array members.
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long triangle(int rows) {
    long table[rows][rows];
    for (int row = 0; row < rows; row++)
        for (int column = 0; column <= row; column++)
            table[row][column] = column == 0 || column == row ? 1 : table[row - 1][column - 1] + table[row - 1][column];
    long sum = 0;
    for (int column = 0; column < rows; column++)
        sum = sum * 3 + table[rows - 1][column];
    return sum;
}

static void multiply(int n, int m, int p, const double left[n][m], const double right[m][p], double out[n][p]) {
    for (int row = 0; row < n; row++)
        for (int column = 0; column < p; column++) {
            out[row][column] = 0;
            for (int inner = 0; inner < m; inner++)
                out[row][column] += left[row][inner] * right[inner][column];
        }
}

static int in_loops(int rounds) {
    int total = 0;
    for (int round = 1; round <= rounds; round++) {
        int values[round * 3];
        for (int index = 0; index < round * 3; index++)
            values[index] = index * round;
        total += values[round] + (int)(sizeof values / sizeof values[0]);
        if (total % 5 == 0)
            continue;
        char text[round + 1];
        memset(text, 'x', (size_t)round);
        text[round] = 0;
        total += (int)strlen(text);
    }
    return total;
}

struct node { struct node *next; int value; };

static int on_the_stack(int count) {
    struct node *list = NULL;
    for (int index = 0; index < count; index++) {
        struct node *node = alloca(sizeof *node);
        *node = (struct node){list, index};
        list = node;
    }
    int sum = 0;
    for (; list; list = list->next)
        sum = (sum * 31 + list->value) % 10007;
    return sum;
}

struct message { int length; char tag; char text[]; };

static struct message *make(const char *text) {
    size_t length = strlen(text);
    struct message *message = malloc(sizeof *message + length + 1);
    message->length = (int)length;
    message->tag = text[0];
    strcpy(message->text, text);
    return message;
}

static int recursive(int size) {
    int scratch[size];
    for (int index = 0; index < size; index++)
        scratch[index] = index;
    int below = size > 1 ? recursive(size - 1) : 0;
    return below + scratch[size - 1];
}

int main(void) {
    for (int rows = 1; rows < 14; rows += 3)
        printf("%ld ", triangle(rows));
    int n = 3, m = 4, p = 2;
    double left[n][m], right[m][p], out[n][p];
    for (int index = 0; index < n * m; index++)
        left[index / m][index % m] = index * 0.5;
    for (int index = 0; index < m * p; index++)
        right[index / p][index % p] = index - 3;
    multiply(n, m, p, left, right, out);
    for (int index = 0; index < n * p; index++)
        printf("%g ", out[index / p][index % p]);
    printf("%zu %d %d\n", sizeof out, in_loops(12), on_the_stack(100));
    struct message *message = make("flexible array members hold the tail");
    printf("%d %c %s %zu\n", message->length, message->tag, message->text, sizeof *message);
    free(message);
    printf("%d\n", recursive(50));
    int (*pointer)[m] = malloc(sizeof(int[n][m]));
    for (int index = 0; index < n * m; index++)
        pointer[index / m][index % m] = index * index;
    printf("%d %zu\n", pointer[2][3], sizeof *pointer);
    free(pointer);
    return 0;
}
