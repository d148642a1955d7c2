// A small machine that executes ten symbolic bytes as a program: a stack, jumps, a store, and faults of all kinds. Loops may go on for
// long; for comparing strategies.
// flags: --max-steps 20000
// paths: any
// findings: none
// oracle: none
void klee_make_symbolic(void *, unsigned long, const char *);

#define LENGTH 10

static unsigned char code[LENGTH];
static int stack[8], cells[4], top;

static int push(int value) {
    if (top == 8)
        return 0;
    stack[top++] = value;
    return 1;
}

static int pop(int *value) {
    if (top == 0)
        return 0;
    *value = stack[--top];
    return 1;
}

static int execute(void) {
    int at = 0, a, b;
    for (int turn = 0; turn < 60; turn++) {
        if (at < 0 || at >= LENGTH)
            return 2;
        unsigned char operation = code[at] >> 4, argument = code[at] & 15;
        at++;
        switch (operation) {
        case 0:
            return top == 1 && stack[0] == 77 ? 9 : 0;
        case 1:
            if (!push(argument))
                return 3;
            break;
        case 2:
            if (!pop(&a) || !pop(&b))
                return 4;
            if (argument == 0)
                push(a + b);
            else if (argument == 1)
                push(b - a);
            else if (argument == 2)
                push(a & b);
            else if (argument == 3)
                push(a == b);
            else
                return 5;
            break;
        case 3:
            if (argument >= 4)
                return 6;
            if (!push(cells[argument]))
                return 3;
            break;
        case 4:
            if (argument >= 4 || !pop(&cells[argument]))
                return 6;
            break;
        case 5:
            at += argument - 8;
            break;
        case 6:
            if (!pop(&a))
                return 4;
            if (a == 0)
                at += argument - 8;
            break;
        case 7:
            if (!pop(&a))
                return 4;
            if (a > 100)
                return 8;
            break;
        default:
            return 1;
        }
    }
    return 7;
}

int main(void) {
    klee_make_symbolic(code, sizeof code, "code");
    return execute();
}
