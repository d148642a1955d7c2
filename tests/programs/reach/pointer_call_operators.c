// Operations chosen by their symbol from a table of functions; one of them looks for a certain result.
#include <stddef.h>
#include <symcrete.h>

struct operation { char symbol; int (*apply)(int, int); };

static int add(int a, int b) {
    return a + b;
}

static int subtract(int a, int b) {
    return a - b;
}

static int power(int a, int b) {
    int result = 1;
    for (int i = 0; i < b && i < 6; i++)
        result *= a;
    if (result == 2401)
        return -1; //~ reached
    return result;
}

static const struct operation operations[] = {{'+', add}, {'-', subtract}, {'^', power}};

static int evaluate(char symbol, int a, int b) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (operations[i].symbol == symbol)
            return operations[i].apply(a, b);
    return 0;
}

int main(void) {
    char symbol = symcrete_char("symbol");
    int a = symcrete_range(-50, 50, "a"), b = symcrete_range(0, 6, "b");
    return evaluate(symbol, a, b);
}
