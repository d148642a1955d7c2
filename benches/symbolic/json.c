// Checks a text in the manner of JSON: objects, lists, strings with escapes, numbers, words; fourteen symbolic bytes. Too large to be
// exhausted in a short time; for comparing strategies.
// flags: --sym-stdin 14
// paths: any
// findings: none
// oracle: none
#include <stdio.h>

static char text[20];
static int at, depth, objects, lists, strings, numbers;

static int value(void);

static void skip(void) {
    while (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r')
        at++;
}

static int word(const char *expected) {
    for (; *expected != 0; expected++, at++)
        if (text[at] != *expected)
            return 0;
    return 1;
}

static int is_hexadecimal(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static int string(void) {
    at++;
    while (text[at] != '"') {
        if ((unsigned char)text[at] < ' ')
            return 0;
        if (text[at] == '\\') {
            at++;
            switch (text[at]) {
            case 'n':
            case 't':
            case '"':
            case '\\':
                break;
            case 'u':
                for (int digit = 0; digit < 4; digit++)
                    if (!is_hexadecimal(text[++at]))
                        return 0;
                break;
            default:
                return 0;
            }
        }
        at++;
    }
    at++;
    strings++;
    return 1;
}

static int number(void) {
    if (text[at] == '-')
        at++;
    if (text[at] < '0' || text[at] > '9')
        return 0;
    if (text[at] == '0' && text[at + 1] >= '0' && text[at + 1] <= '9')
        return 0;
    while (text[at] >= '0' && text[at] <= '9')
        at++;
    if (text[at] == '.') {
        at++;
        if (text[at] < '0' || text[at] > '9')
            return 0;
        while (text[at] >= '0' && text[at] <= '9')
            at++;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        at++;
        if (text[at] == '+' || text[at] == '-')
            at++;
        if (text[at] < '0' || text[at] > '9')
            return 0;
        while (text[at] >= '0' && text[at] <= '9')
            at++;
    }
    numbers++;
    return 1;
}

static int list(void) {
    at++;
    lists++;
    skip();
    if (text[at] == ']') {
        at++;
        return 1;
    }
    for (;;) {
        if (!value())
            return 0;
        skip();
        if (text[at] == ']') {
            at++;
            return 1;
        }
        if (text[at] != ',')
            return 0;
        at++;
    }
}

static int object(void) {
    at++;
    objects++;
    skip();
    if (text[at] == '}') {
        at++;
        return 1;
    }
    for (;;) {
        skip();
        if (text[at] != '"' || !string())
            return 0;
        skip();
        if (text[at] != ':')
            return 0;
        at++;
        if (!value())
            return 0;
        skip();
        if (text[at] == '}') {
            at++;
            return 1;
        }
        if (text[at] != ',')
            return 0;
        at++;
    }
}

static int value(void) {
    skip();
    if (++depth > 5)
        return 0;
    int fine = 0;
    switch (text[at]) {
    case '{':
        fine = object();
        break;
    case '[':
        fine = list();
        break;
    case '"':
        fine = string();
        break;
    case 't':
        fine = word("true");
        break;
    case 'f':
        fine = word("false");
        break;
    case 'n':
        fine = word("null");
        break;
    default:
        fine = number();
    }
    depth--;
    return fine;
}

int main(void) {
    int length = 0, c;
    while (length < 14 && (c = getchar()) != EOF)
        text[length++] = (char)c;
    if (!value())
        return 1;
    skip();
    if (text[at] != 0)
        return 2;
    if (objects > 0 && lists > 0)
        return 3;
    if (strings > 1 && numbers > 0)
        return 4;
    if (objects > 1)
        return 5;
    return 0;
}
