/* Pointer arithmetic, function pointers, casts between pointers and integers, restrict, const. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*operation)(int, int);
typedef struct list {
    struct list *next, *previous;
    operation op;
    void *payload;
} list;

static int plus(int a, int b) { return a + b; }
static int minus(int a, int b) { return a - b; }

operation select_operation(char c) { return c == '+' ? plus : c == '-' ? minus : NULL; }

int apply(const char *program, int a, int b)
{
    operation op = select_operation(*program);
    return op ? op(a, b) : ((int (*)(const char *))puts)(program);
}

list *append(list *l, void *payload)
{
    list *node = calloc(1, sizeof *node);
    if (!node)
        exit(1);
    node->payload = payload;
    node->op = plus;
    node->previous = l;
    if (l)
        l->next = node;
    return node;
}

ptrdiff_t distance(const int *a, const int *b) { return b - a; }

int *find(int *begin, int *end, int what)
{
    while (begin < end && *begin != what)
        begin++;
    return begin == end ? 0 : begin;
}

uintptr_t align_up(void *p, unsigned alignment) { return ((uintptr_t)p + alignment - 1) & -(uintptr_t)alignment; }

void *container(int *member) { return (char *)member - offsetof(list, payload); }

static int by_value(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void sort(int *v, size_t n) { qsort(v, n, sizeof *v, by_value); }

int matrix(int (*m)[4], int rows)
{
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < 4; j++)
            sum += m[i][j] * (*(m + i))[3 - j];
    return sum;
}

int old_style(a, b)
    int a;
    char b;
{
    int undeclared();
    return undeclared(a, b) + a;
}

char *strange(char **argv, int n) { return *(argv + n) ? &argv[n][n] : (char *)(intptr_t)n; }
