// A server's side of a small protocol: lines of commands with magic words, states that allow some of them, a checksum. Twenty-four
// symbolic bytes, so that most of it lies behind several words; for comparing strategies.
// flags: --sym-stdin 24
// paths: any
// findings: none
// oracle: none
#include <stdio.h>
#include <string.h>

enum state { START, GREETED, NAMED, OPEN, CLOSED };

static enum state state = START;
static int errors, bytes, checked;

static int is(const char *line, int length, const char *word) {
    for (int i = 0; word[i] != 0; i++)
        if (i >= length || line[i] != word[i])
            return 0;
    return 1;
}

static void greet(const char *line, int length) {
    if (state != START) {
        errors++;
        return;
    }
    if (length > 3 && line[3] == '2')
        checked = 1;
    state = GREETED;
}

static void name(const char *line, int length) {
    if (state == START || state == CLOSED) {
        errors++;
        return;
    }
    unsigned sum = 0;
    for (int i = 1; i < length; i++) {
        if (line[i] < 'a' || line[i] > 'z') {
            errors++;
            return;
        }
        sum = sum * 31 + (unsigned char)line[i];
    }
    if (checked && sum % 7 != 3)
        errors++;
    else
        state = NAMED;
}

static void begin(const char *line, int length) {
    (void)line;
    if (state == NAMED && length == 3)
        state = OPEN;
    else if (state == NAMED)
        errors += 2;
    else
        errors++;
}

static void data(const char *line, int length) {
    if (state != OPEN) {
        errors++;
        return;
    }
    int size = 0;
    for (int i = 1; i < length; i++)
        size = size * 8 + (line[i] & 7);
    if (size > 40)
        bytes += 40;
    else
        bytes += size;
}

static void obey(const char *line, int length) {
    if (length == 0)
        return;
    if (is(line, length, "hi!"))
        greet(line, length);
    else if (is(line, length, "@"))
        name(line, length);
    else if (is(line, length, "go:"))
        begin(line, length);
    else if (is(line, length, "#"))
        data(line, length);
    else if (is(line, length, "bye"))
        state = state == OPEN && bytes == 13 ? CLOSED : START;
    else
        errors++;
}

int main(void) {
    char line[24];
    int length = 0, c;
    while ((c = getchar()) != EOF && errors < 3) {
        if (c == '\n') {
            obey(line, length);
            length = 0;
        } else if (length < 24) {
            line[length++] = (char)c;
        }
    }
    if (state == CLOSED)
        return 10;
    if (state == OPEN)
        return bytes > 0 ? 9 : 8;
    return (int)state + (errors > 0 ? 4 : 0);
}
