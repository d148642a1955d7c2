/* A small complete program: recursion, static locals, shadowing, enums, a tokenizer. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum token { END, NUMBER = 256, IDENTIFIER, OPERATOR = -3 };
enum { LIMIT = 64 };

static const char *input;

static enum token next(long *value)
{
    static int line = 1;
    while (isspace((unsigned char)*input))
        if (*input++ == '\n')
            line++;
    if (isdigit((unsigned char)*input)) {
        for (*value = 0; isdigit((unsigned char)*input); input++)
            *value = *value * 10 + (*input - '0');
        return NUMBER;
    }
    if (!*input)
        return END;
    *value = *input++;
    return OPERATOR;
}

static long expression(int depth);

static long primary(int depth)
{
    long value = 0;
    enum token t = next(&value);
    if (t == NUMBER)
        return value;
    if (t == OPERATOR && value == '(') {
        long value = expression(depth + 1);
        long close;
        next(&close);
        return value;
    }
    return t == OPERATOR && value == '-' ? -primary(depth) : 0;
}

static long expression(int depth)
{
    long left = primary(depth);
    const char *saved = input;
    long operator;
    while (depth < LIMIT && next(&operator) == OPERATOR && strchr("+-*/", (int)operator)) {
        long right = primary(depth);
        switch (operator) {
        case '+': left += right; break;
        case '-': left -= right; break;
        case '*': left *= right; break;
        case '/': left = right ? left / right : 0; break;
        }
        saved = input;
    }
    input = saved;
    return left;
}

static unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        input = argv[i];
        printf("%s = %ld\n", argv[i], expression(0));
    }
    return (int)ackermann(2, 3) == 9 ? 0 : 1;
}
