// Parses and computes arithmetic: numbers, signs, parentheses, and functions by name, from twelve symbolic bytes. Too large to be
// exhausted in a short time; for comparing strategies.
// flags: --sym-stdin 12
// paths: any
// findings: none
// oracle: none
#include <stdio.h>
#include <string.h>

static char text[16];
static int at, depth, failed;

static int expression(void);

static void skip_spaces(void) {
    while (text[at] == ' ' || text[at] == '\t')
        at++;
}

static int accept(char sign) {
    skip_spaces();
    if (text[at] != sign)
        return 0;
    at++;
    return 1;
}

static int fail(void) {
    failed = 1;
    return 0;
}

static int number(void) {
    int value = 0, digits = 0;
    if (text[at] == '0' && text[at + 1] == 'x') {
        for (at += 2;; at++, digits++) {
            if (text[at] >= '0' && text[at] <= '9')
                value = value * 16 + text[at] - '0';
            else if (text[at] >= 'a' && text[at] <= 'f')
                value = value * 16 + text[at] - 'a' + 10;
            else
                break;
        }
    } else {
        for (; text[at] >= '0' && text[at] <= '9'; at++, digits++)
            value = value * 10 + text[at] - '0';
    }
    return digits > 0 ? value : fail();
}

static int call(const char *name, int length) {
    if (!accept('('))
        return fail();
    int first = expression();
    int second = accept(',') ? expression() : 0;
    if (!accept(')'))
        return fail();
    if (length == 3 && memcmp(name, "min", 3) == 0)
        return first < second ? first : second;
    if (length == 3 && memcmp(name, "max", 3) == 0)
        return first > second ? first : second;
    if (length == 3 && memcmp(name, "abs", 3) == 0)
        return first < 0 ? -first : first;
    if (length == 2 && memcmp(name, "if", 2) == 0)
        return first != 0 ? second : 0;
    return fail();
}

static int factor(void) {
    skip_spaces();
    if (++depth > 6)
        return fail();
    int value = 0;
    if (accept('(')) {
        value = expression();
        if (!accept(')'))
            value = fail();
    } else if (accept('-')) {
        value = -factor();
    } else if (accept('~')) {
        value = ~factor();
    } else if (text[at] >= 'a' && text[at] <= 'z') {
        int start = at;
        while (text[at] >= 'a' && text[at] <= 'z')
            at++;
        value = call(text + start, at - start);
    } else {
        value = number();
    }
    depth--;
    return value;
}

static int term(void) {
    int value = factor();
    while (!failed) {
        if (accept('*')) {
            value *= factor();
        } else if (accept('/')) {
            int divisor = factor();
            if (divisor == 0)
                return fail();
            value = divisor == -1 ? -value : value / divisor;
        } else if (accept('%')) {
            int divisor = factor();
            if (divisor == 0 || divisor == -1)
                return fail();
            value %= divisor;
        } else {
            break;
        }
    }
    return value;
}

static int expression(void) {
    int value = term();
    while (!failed) {
        if (accept('+'))
            value += term();
        else if (accept('-'))
            value -= term();
        else if (accept('<'))
            value = value < term();
        else if (accept('='))
            value = value == term();
        else
            break;
    }
    return value;
}

int main(void) {
    int length = 0, c;
    while (length < 12 && (c = getchar()) != EOF)
        text[length++] = (char)c;
    int value = expression();
    skip_spaces();
    if (failed)
        return 1;
    if (text[at] == ';')
        return value == 42 ? 3 : 4;
    if (text[at] != 0)
        return 2;
    if (value > 1000)
        return 5;
    return value < 0 ? 6 : 0;
}
