// A calculator: tokenizer, recursive descent, precedence, functions, variables, errors with positions.
// input: 1+2*3\n(1+2)*3-4/8\nx = 7 % 4\ny = x ^ 2 ^ 2\n-x^2 + y\nsqrt(y) + max(1, x, 2.5)\n2 * (3 + \n1 / 0\n1e3 + .5e-1\nunknown + 1\n3 $ 4\n((((((1))))))\nmin()\nx == 3 && y > 80 || 0\n!x + !0\n
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *line, *at;
static jmp_buf failed;
static struct { char name[8]; double value; } variables[10];
static int variable_count;

static double expression(int level);

static void fail(const char *why) {
    printf("error at %td: %s\n", at - line, why);
    longjmp(failed, 1);
}

static int accept(const char *symbol) {
    at += strspn(at, " ");
    size_t length = strlen(symbol);
    if (strncmp(at, symbol, length))
        return 0;
    at += length;
    return 1;
}

static double *variable(const char *name, size_t length, int make) {
    for (int index = 0; index < variable_count; index++)
        if (strlen(variables[index].name) == length && !memcmp(variables[index].name, name, length))
            return &variables[index].value;
    if (!make)
        fail("unknown name");
    memcpy(variables[variable_count].name, name, length);
    return &variables[variable_count++].value;
}

static double call(const char *name, size_t length) {
    double values[5], result;
    int count = 0;
    if (!accept(")")) {
        do
            values[count++] = expression(0);
        while (count < 5 && accept(","));
        if (!accept(")"))
            fail("expected )");
    }
    if (count == 0)
        fail("a function needs arguments");
    result = values[0];
    if (length == 4 && !memcmp(name, "sqrt", 4))
        return sqrt(result);
    int sign = !memcmp(name, "max", 3) ? 1 : !memcmp(name, "min", 3) ? -1 : 0;
    if (sign == 0)
        fail("unknown function");
    for (int index = 1; index < count; index++)
        if ((values[index] - result) * sign > 0)
            result = values[index];
    return result;
}

static double primary(void) {
    at += strspn(at, " ");
    if (accept("(")) {
        double value = expression(0);
        if (!accept(")"))
            fail("expected )");
        return value;
    }
    if (accept("-"))
        return -expression(5);
    if (accept("!"))
        return !expression(5);
    if (isalpha((unsigned char)*at)) {
        const char *name = at;
        while (isalnum((unsigned char)*at))
            at++;
        size_t length = (size_t)(at - name);
        return accept("(") ? call(name, length) : *variable(name, length, 0);
    }
    char *end;
    double value = isdigit((unsigned char)*at) || *at == '.' ? strtod(at, &end) : (end = (char *)at, 0);
    if (end == at)
        fail("expected a value");
    at = end;
    return value;
}

static const struct { const char *symbol; int level; } operators[] = {{"||", 0}, {"&&", 1}, {"==", 2}, {"<", 2}, {">", 2}, {"+", 3},
                                                                      {"-", 3}, {"*", 4}, {"/", 4}, {"%", 4}, {"^", 6}};

static double expression(int level) {
    double left = primary();
    for (;;) {
        unsigned which = 0, count = sizeof operators / sizeof *operators;
        while (which < count && (operators[which].level < level || !accept(operators[which].symbol)))
            which++;
        if (which == count)
            return left;
        double right = expression(operators[which].level + (operators[which].symbol[0] != '^'));
        switch (operators[which].symbol[0]) {
        case '|': left = left != 0 || right != 0; break;
        case '&': left = left != 0 && right != 0; break;
        case '=': left = left == right; break;
        case '<': left = left < right; break;
        case '>': left = left > right; break;
        case '+': left += right; break;
        case '-': left -= right; break;
        case '*': left *= right; break;
        case '/': left /= right; break;
        case '%': left = fmod(left, right); break;
        case '^': left = pow(left, right); break;
        }
    }
}

int main(void) {
    static char text[200];
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\n")] = 0;
        line = at = text;
        if (setjmp(failed))
            continue;
        char *equals = strchr(text, '=');
        double *target = NULL;
        if (equals && equals[1] != '=' ) {
            target = variable(text, strcspn(text, " ="), 1);
            at = equals + 1;
        }
        double value = expression(0);
        at += strspn(at, " ");
        if (*at)
            fail("unexpected character");
        if (target)
            *target = value;
        printf("%s => %.10g\n", text, value);
    }
    return 0;
}
