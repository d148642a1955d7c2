// Parses JSON into a tree and prints it again, pretty and compact; errors with their position.
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { NOTHING, FALSE, TRUE, NUMBER, STRING, ARRAY, OBJECT };

struct value {
    enum kind kind;
    char *key, *text;
    double number;
    struct value *first, *next;
};

static const char *start, *at;
static jmp_buf failed;

static _Noreturn void fail(const char *why) {
    printf("error at %td: %s\n", at - start, why);
    longjmp(failed, 1);
}

static void skip(void) {
    while (isspace((unsigned char)*at))
        at++;
}

static void expect(char wanted) {
    skip();
    if (*at != wanted)
        fail(wanted == '"' ? "expected a string" : "unexpected character");
    at++;
}

static char *string(void) {
    expect('"');
    char *text = malloc(strlen(at) + 1), *out = text;
    for (; *at != '"'; at++) {
        if (!*at) {
            free(text);
            fail("unterminated string");
        }
        if (*at != '\\') {
            *out++ = *at;
            continue;
        }
        static const char from[] = "nrtbf\"\\/", to[] = "\n\r\t\b\f\"\\/";
        const char *found = strchr(from, *++at);
        if (found && *found) {
            *out++ = to[found - from];
        } else if (*at == 'u') {
            unsigned point;
            if (sscanf(at + 1, "%4x", &point) == 1)
                *out++ = point < 128 ? (char)point : '?';
            at += 4;
        }
    }
    at++;
    *out = 0;
    return text;
}

static void release(struct value *value) {
    if (!value)
        return;
    release(value->first);
    release(value->next);
    free(value->key);
    free(value->text);
    free(value);
}

static struct value *root;

static void parse(struct value **into) {
    struct value *value = *into = calloc(1, sizeof *value);
    skip();
    if (*at == '{' || *at == '[') {
        char close = *at++ == '{' ? '}' : ']';
        value->kind = close == '}' ? OBJECT : ARRAY;
        struct value **tail = &value->first;
        for (skip(); *at != close; tail = &(*tail)->next) {
            if (tail != &value->first)
                expect(',');
            char *key = value->kind == OBJECT ? (skip(), string()) : NULL;
            skip();
            if (key && *at++ != ':') {
                free(key);
                fail("expected :");
            }
            parse(tail);
            (*tail)->key = key;
            skip();
        }
        at++;
    } else if (*at == '"') {
        value->kind = STRING;
        value->text = string();
    } else if (*at == '-' || isdigit((unsigned char)*at)) {
        char *end;
        value->kind = NUMBER;
        value->number = strtod(at, &end);
        at = end;
    } else {
        static const char *const words[] = {"null", "false", "true"};
        for (int word = 0; word < 3; word++)
            if (!strncmp(at, words[word], strlen(words[word]))) {
                value->kind = (enum kind)word;
                at += strlen(words[word]);
                return;
            }
        fail("expected a value");
    }
}

static void print_string(const char *text) {
    putchar('"');
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if (iscntrl((unsigned char)*text))
            printf("\\u%04x", *text);
        else
            putchar(*text);
    putchar('"');
}

static void print(const struct value *value, int indent) {
    static const char *const words[] = {"null", "false", "true"};
    switch (value->kind) {
    case NOTHING:
    case FALSE:
    case TRUE: printf("%s", words[value->kind]); break;
    case NUMBER: printf("%.15g", value->number); break;
    case STRING: print_string(value->text); break;
    case ARRAY:
    case OBJECT:
        putchar(value->kind == ARRAY ? '[' : '{');
        for (const struct value *item = value->first; item; item = item->next) {
            if (indent >= 0)
                printf("\n%*s", indent + 2, "");
            if (item->key)
                print_string(item->key), printf(indent >= 0 ? ": " : ":");
            print(item, indent >= 0 ? indent + 2 : indent);
            if (item->next)
                putchar(',');
        }
        if (indent >= 0 && value->first)
            printf("\n%*s", indent, "");
        putchar(value->kind == ARRAY ? ']' : '}');
    }
}

int main(void) {
    static const char *const documents[] = {
        "{\"name\": \"Symcrete\", \"tags\": [\"c\", \"llvm\"], \"nested\": {\"deep\": [[[1]]], \"empty\": {}}, \"ok\": true}",
        "[1, -2.5e3, 0.1, 1e100, null, false, \"quote \\\" and \\\\ and \\n line \\u0041\"]", "  42  ", "[1, 2", "{\"a\" 1}", "[tru]", "\"open"};
    for (unsigned index = 0; index < sizeof documents / sizeof *documents; index++) {
        start = at = documents[index];
        root = NULL;
        if (!setjmp(failed)) {
            parse(&root);
            print(root, -1);
            putchar('\n');
            print(root, 0);
            putchar('\n');
        }
        release(root);
    }
    return 0;
}
