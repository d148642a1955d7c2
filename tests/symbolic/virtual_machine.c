// A machine with a stack runs a program of which two instructions are inputs.
// paths: 36
// findings: none
// exhaustive: yes
void klee_make_symbolic(void *, unsigned long, const char *);

enum { PUSH = 0, ADD = 16, MULTIPLY = 17, DUPLICATE = 18, SKIP_IF_ZERO = 19, HALT = 20 };

int main(void) {
    unsigned char code[7] = {PUSH + 3, PUSH + 5, 0, 0, ADD, DUPLICATE, MULTIPLY};
    klee_make_symbolic(&code[2], 2, "code");
    int stack[4], depth = 0;
    for (int at = 0; at < 7; at++) {
        unsigned char instruction = code[at];
        if (instruction < 16) {
            if (depth == 4)
                return 200;
            stack[depth++] = instruction;
            continue;
        }
        switch (instruction) {
        case ADD:
        case MULTIPLY:
            if (depth < 2)
                return 201;
            depth--;
            stack[depth - 1] = instruction == ADD ? stack[depth - 1] + stack[depth] : stack[depth - 1] * stack[depth];
            break;
        case DUPLICATE:
            if (depth == 0 || depth == 4)
                return 202;
            stack[depth] = stack[depth - 1];
            depth++;
            break;
        case SKIP_IF_ZERO:
            at += stack[depth - 1] == 0;
            break;
        case HALT:
            return depth;
        default:
            return 203;
        }
    }
    return stack[depth - 1] == 81 ? 1 : 0;
}
