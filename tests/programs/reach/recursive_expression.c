// A recursive descent parser for sums and products of digits in parentheses.
#include <symcrete.h>

static const char *at;
static int failed;

static int sum(int depth);

static int factor(int depth) {
    if (*at == '(' && depth < 3) {
        at++;
        int value = sum(depth + 1);
        if (*at == ')')
            at++;
        else
            failed = 1;
        return value;
    }
    if (*at >= '0' && *at <= '9')
        return *at++ - '0';
    failed = 1;
    return 0;
}

static int product(int depth) {
    int value = factor(depth);
    while (!failed && *at == '*') {
        at++;
        value *= factor(depth);
    }
    return value;
}

static int sum(int depth) {
    int value = product(depth);
    while (!failed && *at == '+') {
        at++;
        value += product(depth);
    }
    return value;
}

int main(void) {
    char text[8];
    symcrete_make_symbolic(text, sizeof text, "text");
    text[7] = 0;
    at = text;
    int value = sum(0);
    if (!failed && !*at && at - text == 7 && text[0] == '(' && value == 72)
        return 1; //~ reached
    return 0;
}
