// Whether a text of LENGTH bytes is JSON, by the parser of PostgreSQL: a lexer, and functions that descend through arrays and objects.
// With CHECK the program takes such texts one after the other from its standard input, and prints a line for each.
#include "postgres_fe.h"

#include "common/jsonapi.h"
#include "mb/pg_wchar.h"

static char bytes[LENGTH];

static int is_json(void) {
    JsonLexContext lex;
    makeJsonLexContextCstringLen(&lex, bytes, LENGTH, PG_UTF8, false);
    return pg_parse_json(&lex, &nullSemAction) == JSON_SUCCESS;
}

#ifdef CHECK
int main(void) {
    while (fread(bytes, LENGTH, 1, stdin) == 1)
        puts(is_json() ? "valid" : "invalid");
    return 0;
}
#else
void symcrete_make_symbolic(void *, unsigned long, const char *);

int main(void) {
    symcrete_make_symbolic(bytes, LENGTH, "text");
    return !is_json();
}
#endif
