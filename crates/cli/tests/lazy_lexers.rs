//! `cover --mode lazy` over lexers of the kinds that people write: they are passed over, and the tests end as those of concolic testing do.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{root, run, symcrete};

/// What a run of `cover` says of a program, and the exit statuses that its tests claim, which native replay confirms.
fn cover(source: &Path, arguments: &[&str]) -> (Value, BTreeSet<i64>) {
    let out = tempfile::tempdir().unwrap();
    let mut command = symcrete();
    command.args(["cover", "--json", "--time", "60"]).args(arguments).arg("--out").arg(out.path()).arg(source);
    let shown = run(&mut command, b"");
    let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {shown:?}"));
    assert_eq!(said["exhausted"], true, "{arguments:?}: {said}");
    assert_eq!(said["replay"]["confirmed"], said["tests"], "{arguments:?}: {said}");
    let status = |path: std::path::PathBuf| {
        let test: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        test["ends"]["status"].as_i64().unwrap_or(-1)
    };
    let tests = fs::read_dir(out.path().join("tests")).unwrap();
    (said, tests.map(|test| status(test.unwrap().path())).collect())
}

/// Lazy expansion passes over these functions and over no others, in the layer under test or in one below, and misses no end that concolic testing
/// finds.
fn passes_over(source: &Path, expected: &[&str], arguments: &[&str]) {
    let (said, found) = cover(source, &[&["--mode", "lazy"], arguments].concat());
    let functions = &said["stats"]["lazy"]["functions"];
    assert_eq!(
        (&functions["passed_over"], &functions["unbounded"]),
        (&json!(expected), &json!([])),
        "{arguments:?}: {said}"
    );
    let (_, expected) = cover(source, &[&["--mode", "concolic"], arguments].concat());
    assert_eq!(found, expected, "{arguments:?}");
}

/// A lexer with the word in a struct before the stream that it reads from: who writes beyond the word, writes anywhere.
const WORD_IN_STRUCT: &str = r#"
#include <stdio.h>
struct lexer { int line, n, last; char word[20]; FILE *in; int kind; };
static struct lexer lexer;
static char word[20];
static int length;
static void put(struct lexer *s, int c) {
#if FORM == 0
    if (s->n < 19) s->word[s->n++] = c;
#elif FORM == 1
    if (s->n + 1 < (int)sizeof s->word) s->word[s->n++] = c;
#elif FORM == 2
    if (s->n + 1 < sizeof s->word) s->word[s->n++] = c;
#elif FORM == 3
    s->word[s->n < 19 ? s->n++ : 19] = c;
#elif FORM == 4
    if (s->n >= 19) return;
    s->last = c;
    s->word[s->n] = c;
    s->n++;
#endif
}
static int next(struct lexer *s) {
    int c;
    while ((c = getc(s->in)) == ' ' || c == '\n')
        if (c == '\n') s->line++;
    s->n = 0;
    while (c >= 'a' && c <= 'z') {
        put(s, c);
        c = getc(s->in);
    }
    s->word[s->n] = 0;
    if (s->n) { ungetc(c, s->in); return s->kind = 'w'; }
    return s->kind = c == EOF ? 0 : c;
}
int main(void) {
    struct lexer *s = &lexer;
    s->in = stdin;
    next(s);
    if (s->kind != 'w') return 2;
    if (s->n == 2 && s->word[0] == 'i' && s->word[1] == 'f') {
        int t = next(s);
        if (t == '(') return 3;
        if (t == 'w') return s->line == 1 ? 8 : 4;
        return 5;
    }
    next(s);
    return s->kind == '=' ? 6 : 7;
}
"#;

#[test]
fn conditions_on_memory_bound_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("word.c");
    fs::write(&source, WORD_IN_STRUCT).unwrap();
    for form in 0..5 {
        passes_over(&source, &["next"], &["--sym-stdin", "4", "-D", &format!("FORM={form}")]);
    }
}

/// Conditions that no longer hold where something is written: the flag beside the word is changed by all of them. What is behind it is found only by
/// who knows that it may be.
const STALE: &str = r#"
#include <symcrete.h>
struct lexer { int n; char word[8]; char flag; char *end; };
static struct lexer lexer;
static int *alias = &lexer.n;
static unsigned char in[4];
static void bump(struct lexer *s) { s->n += in[0] & 1; }
static int next(struct lexer *s) {
#if FORM == 0
    if (s->n < 8) { *alias = in[0] & 15; s->word[s->n < 9 ? s->n : 0] = 1; }
#elif FORM == 1
    if (s->n < 8) { bump(s); s->word[s->n] = 1; }
#elif FORM == 2
    int was_small = 0;
    for (int i = 0; i < 2; i++) {
        int n = s->n;
        if (in[0] == 'x') s->n = 8;
        if (was_small) s->word[n] = 1;
        was_small = n < 8;
    }
#elif FORM == 3
    int n = s->n;
    while (n < 8 && in[1]) { s->n += in[0] & 1; s->word[s->n] = 1; in[1] = 0; }
#elif FORM == 4
    for (int i = 0; i < 3 && in[i]; i++) if (s->n < 8) { s->n++; s->word[s->n] = 1; }
#elif FORM == 5
    if (s->end <= s->word + 7) { s->end += in[0] & 1; *s->end = 1; }
#elif FORM == 6
    char *p = s->word + 6;
    for (int i = 0; i < 2; i++) if (p < s->word + 8 && in[i]) p++;
    *p = 1;
#elif FORM == 7
    if (s->n - 1 < 8) s->word[s->n + (in[0] & 1)] = 1;
#endif
    return s->n;
}
int main(void) {
    symcrete_make_symbolic(in, sizeof in, "in");
    lexer.n = 7;
    lexer.end = lexer.word + 7;
    int n = next(&lexer);
    if (lexer.flag) return in[3] == 'q' ? 1 : in[3] == 'r' ? 2 : 3;
    return n == 7 ? 4 : 5;
}
"#;

#[test]
fn conditions_are_forgotten_where_they_may_not_hold() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("stale.c");
    fs::write(&source, STALE).unwrap();
    for form in 0..8 {
        passes_over(&source, &["next"], &["-D", &format!("FORM={form}")]);
    }
}

#[test]
fn panics_end_the_program() {
    passes_over(&root().join("tests/lexers/panics.rs"), &["is_ascii_lowercase", "next"], &[]);
}

/// The end of the word as a pointer, in a register and in memory.
const WORD_BY_POINTER: &str = r#"
#include <stdio.h>
struct lexer { int kind; char word[12]; char *end; FILE *in; };
static struct lexer lexer;
static void put(struct lexer *s, int c) { if (s->end < s->word + sizeof s->word - 1) *s->end++ = c; }
static int next(struct lexer *s) {
    int c;
    while ((c = getc(s->in)) == ' ') ;
#if FORM == 0
    char *p = s->word;
    while (c >= 'a' && c <= 'z') { if (p < s->word + 11) *p++ = c; c = getc(s->in); }
    s->end = p;
#else
    s->end = s->word;
    while (c >= 'a' && c <= 'z') { put(s, c); c = getc(s->in); }
#endif
    *s->end = 0;
    if (s->end > s->word) { ungetc(c, s->in); return s->kind = 'w'; }
    return s->kind = c == EOF ? 0 : c;
}
int main(void) {
    struct lexer *s = &lexer;
    s->in = stdin;
    next(s);
    if (s->kind == 'w' && s->word[0] == 'i' && s->word[1] == 'f' && s->end - s->word == 2) return next(s) == '(' ? 1 : 2;
    return next(s) == '=' ? 3 : 4;
}
"#;

/// The word is copied by functions of the library that are told how large its place is.
const WORD_COPIED: &str = r#"
#include <stdio.h>
#include <string.h>
struct lexer { int n, kind; char word[12], last[12]; FILE *in; };
static struct lexer lexer;
static int next(struct lexer *s) {
    char word[12];
    int n = 0, c;
    while ((c = getc(s->in)) == ' ') ;
    while (c >= 'a' && c <= 'z') { if (n < 11) word[n++] = c; c = getc(s->in); }
    word[n] = 0;
    if (n) ungetc(c, s->in);
    memcpy(s->last, s->word, sizeof s->word);
#if FORM == 0
    strncpy(s->word, word, sizeof s->word - 1);
#elif FORM == 1
    snprintf(s->word, sizeof s->word, "%s", word);
#elif FORM == 2
    memcpy(s->word, word, n + 1);
#endif
    s->n = n;
    return s->kind = n ? 'w' : c == EOF ? 0 : c;
}
int main(void) {
    struct lexer *s = &lexer;
    s->in = stdin;
    if (next(s) == 'w' && !strcmp(s->word, "if")) {
        if (next(s) == 'w') return strcmp(s->last, "if") ? 1 : 2;
        return s->kind == '(' ? 3 : 4;
    }
    return next(s) == '=' ? 5 : 6;
}
"#;

/// A lexer on the heap that looks ahead, copies tokens, and keeps a stack.
const LOOKING_AHEAD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct token { int kind; char word[12]; int length; };
struct lexer { struct token now, ahead; int has_ahead; FILE *in; int depth; int levels[4]; };
static void scan(struct lexer *l, struct token *t) {
    int c = getc(l->in);
    while (c == ' ') c = getc(l->in);
    t->length = 0;
    while (c >= 'a' && c <= 'z') {
        if (t->length < (int)sizeof t->word - 1) t->word[t->length++] = (char)c;
        c = getc(l->in);
    }
    t->word[t->length] = 0;
    if (t->length > 0) { t->kind = 'w'; ungetc(c, l->in); return; }
    if (c == '{' && l->depth < 4) l->levels[l->depth++] = 1;
    if (c == '}' && l->depth > 0) l->levels[--l->depth] = 0;
    t->kind = c == EOF ? 0 : c;
}
static void next(struct lexer *l) {
    if (l->has_ahead) { l->now = l->ahead; l->has_ahead = 0; } else scan(l, &l->now);
}
static int peek(struct lexer *l) {
    if (!l->has_ahead) { scan(l, &l->ahead); l->has_ahead = 1; }
    return l->ahead.kind;
}
int main(void) {
    struct lexer *l = calloc(1, sizeof *l);
    if (!l) return 9;
    l->in = stdin;
    next(l);
    if (l->now.kind == '{') { if (peek(l) == '}') { next(l); return l->depth == 0 ? 1 : 2; } return 3; }
    if (l->now.kind == 'w' && !strcmp(l->now.word, "if")) return peek(l) == 'w' ? 4 : 5;
    return 6;
}
"#;

#[test]
fn lexers_with_their_word_in_a_struct_are_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let programs: [(&str, &str, u32, &[&str]); 3] = [
        ("pointer.c", WORD_BY_POINTER, 2, &["next"]),
        ("copied.c", WORD_COPIED, 3, &["next", "strcmp"]),
        ("ahead.c", LOOKING_AHEAD, 1, &["next", "peek", "scan", "strcmp"]),
    ];
    for (name, text, forms, functions) in programs {
        let source = folder.path().join(name);
        fs::write(&source, text).unwrap();
        for form in 0..forms {
            passes_over(&source, functions, &["--sym-stdin", "4", "-D", &format!("FORM={form}")]);
        }
    }
}

/// The lexer leaves by a jump where the text is wrong. It is looked into, and what it calls before is not.
const JUMPING: &str = r#"
#include <setjmp.h>
#include <symcrete.h>
static unsigned char text[4];
static const unsigned char *at = text;
static jmp_buf out;
static int skip(void) { while (*at == ' ') at++; return *at; }
static int next(void) {
    int c = skip();
    if (c == '!') longjmp(out, 2);
    if (c > 127) longjmp(out, 3);
    if (c) at++;
    return c;
}
int main(void) {
    symcrete_make_symbolic(text, 3, "text");
    switch (setjmp(out)) {
    case 2: return 12;
    case 3: return text[0] == '(' ? 13 : 14;
    }
    if (next() != '(') return 1;
    return next() == ')' ? 2 : 3;
}
"#;

#[test]
fn a_lexer_that_jumps_out_is_looked_into() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("jumping.c");
    fs::write(&source, JUMPING).unwrap();
    let (said, found) = cover(&source, &["--mode", "lazy"]);
    let functions = &said["stats"]["lazy"]["functions"];
    assert_eq!((&functions["passed_over"], &functions["unbounded"]), (&json!(["skip"]), &json!(["next"])), "{said}");
    assert_eq!(found, [1, 2, 3, 12, 13, 14].into_iter().collect());
}
