// goto in all directions, and computed goto: a threaded interpreter and a state machine.
#include <stdio.h>

static int nested_exit(int limit) {
    int steps = 0;
    for (int a = 0;; a++)
        for (int b = 0; b < 10; b++)
            for (int c = 0; c < 10; c++) {
                steps++;
                if (a * b * c > limit)
                    goto found;
            }
found:
    return steps;
}

static int irreducible(int value) {
    int steps = 0;
    if (value & 1)
        goto odd;
even:
    steps++;
    value /= 2;
    if (value == 0)
        goto done;
    if (value & 1)
        goto odd;
    goto even;
odd:
    steps += 10;
    value = value - 1;
    if (value)
        goto even;
done:
    return steps;
}

static int cleanup(int fail_at) {
    int released = 0;
    if (fail_at == 1)
        goto nothing;
    if (fail_at == 2)
        goto first;
    if (fail_at == 3)
        goto second;
    released += 100;
second:
    released += 10;
first:
    released += 1;
nothing:
    return released;
}

enum { PUSH, ADD, MULTIPLY, DUPLICATE, SWAP, SUBTRACT, JUMP_IF, PRINT, HALT };

static void threaded(const int *code) {
    static void *const labels[] = {&&push, &&add, &&multiply, &&duplicate, &&swap, &&subtract, &&jump_if, &&print, &&halt};
    long stack[16];
    int top = -1, swapped;
    const int *at = code;
#define NEXT goto *labels[*at++]
    NEXT;
push: stack[++top] = *at++; NEXT;
add: top--, stack[top] += stack[top + 1]; NEXT;
multiply: top--, stack[top] *= stack[top + 1]; NEXT;
duplicate: top++, stack[top] = stack[top - 1]; NEXT;
swap: swapped = (int)stack[top], stack[top] = stack[top - 1], stack[top - 1] = swapped; NEXT;
subtract: top--, stack[top] -= stack[top + 1]; NEXT;
jump_if:
    at = stack[top] ? code + *at : at + 1;
    NEXT;
print: printf("%ld\n", stack[top]); NEXT;
halt:
    printf("halted at depth %d\n", top);
}

static int matches(const char *text) {
    /* a(bc)*d by offsets between labels */
    static const int table[] = {(int)0, 1, 2, 3};
    void *state = &&start;
    for (; *text; text++)
        goto *state;
    return 0;
start:
    if (*text != 'a')
        return table[0];
    state = &&loop;
    text++;
    goto *state;
loop:
    if (*text == 'd')
        return text[1] == 0 ? table[3] : table[2];
    if (*text++ != 'b')
        return table[1];
    if (*text++ != 'c')
        return table[2];
    goto loop;
}

static int duff(const char *from, char *to, int count) {
    int rounds = (count + 3) / 4;
    switch (count % 4) {
    case 0: do { *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--rounds > 0);
    }
    *to = 0;
    return count;
}

int main(void) {
    for (int limit = 0; limit < 500; limit += 99)
        printf("%d ", nested_exit(limit));
    for (int value = 1; value < 20; value++)
        printf("%d ", irreducible(value));
    for (int fail = 0; fail < 5; fail++)
        printf("%d ", cleanup(fail));
    putchar('\n');
    /* factorial of 12: counter on top, product below */
    const int program[] = {PUSH, 1, PUSH, 12, DUPLICATE, PUSH, 0, ADD, SWAP, PUSH, 0, ADD, PRINT, HALT};
    threaded(program);
    const int countdown[] = {PUSH, 5, PRINT, PUSH, 1, SUBTRACT, JUMP_IF, 2, PRINT, PUSH, 3, MULTIPLY, HALT};
    threaded(countdown);
    const char *texts[] = {"ad", "abcd", "abcbcd", "abd", "x", "", "abcdx", "ab"};
    for (int index = 0; index < 7; index++)
        printf("%d ", matches(texts[index]));
    char out[40];
    for (int count = 1; count < 12; count++) {
        duff("duff's device copies", out, count);
        printf("[%s]", out);
    }
    putchar('\n');
    return 0;
}
