//! What lazy expansion takes calls to leave, where it could be wrong: the tests end as those of concolic testing do.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use support::{run, symcrete};

/// What tests of a program claim: how they end, and what goes wrong.
fn ends(text: &str, mode: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let (source, out) = (folder.path().join("program.c"), folder.path().join("out"));
    fs::write(&source, text).unwrap();
    let mut command = symcrete();
    command.args(["cover", "--json", "--time", "60", "--mode", mode, "--out"]).arg(&out).arg(&source);
    let shown = run(&mut command, b"");
    let said: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"));
    assert_eq!(said["exhausted"], true, "{mode}: {said}\n{text}");
    assert_eq!(said["replay"]["diverged"], serde_json::json!([]), "{mode}: {said}\n{text}");
    let tests = fs::read_dir(out.join("tests")).unwrap();
    let ends = tests.map(|test| {
        let test: Value = serde_json::from_slice(&fs::read(test.unwrap().path()).unwrap()).unwrap();
        let ends = &test["ends"];
        format!("{} {} {}", ends["kind"], ends["status"], ends["line"])
    });
    ends.collect()
}

fn agree(text: &str) {
    assert_eq!(ends(text, "lazy"), ends(text, "concolic"), "{text}");
}

#[test]
fn what_is_as_before_is_so_only_where_the_same_was_before() {
    agree(
        "#include <symcrete.h>\nint x = 3, n;\nvoid set(int a) { x = 3; if (a > 5) n++; }\n\
         int main(void) {\n    int a = symcrete_int(\"a\");\n    set(a);\n    x = 9;\n    set(a);\n    \
         if (x == 9) return 1;\n    return n == 2 ? 2 : 3;\n}\n",
    );
}

#[test]
fn what_is_passed_by_value_is_a_copy() {
    agree(
        "#include <symcrete.h>\nstruct list { int k[6]; } list = {{0, 4, 5, 6}};\n\
         int sum(struct list w, int x) {\n    w.k[0] = 99;\n    if (x & 1) w.k[1] = 0;\n    int s = 0;\n    \
         for (int i = 0; i < 6; i++) s += w.k[i];\n    return s;\n}\nvoid look(int x) { if (x > 0) { } }\n\
         int main(void) {\n    int x = symcrete_int(\"x\"), y = symcrete_int(\"y\");\n    look(x);\n    int s = sum(list, y);\n    \
         if (list.k[0] == 99) return 0;\n    return s == 114 ? 1 : 2;\n}\n",
    );
}

#[test]
fn faults_behind_calls_inside_of_calls_are_told() {
    agree(
        "#include <symcrete.h>\nint o[2], h, mode, *at = o;\nvoid move(unsigned char a) { at = o + 2 * mode; if (a > 3) h = 1; }\n\
         void use(unsigned char a) {\n    move(a);\n    if (*at) h = 2;\n}\n\
         int main(void) {\n    unsigned char x, y;\n    symcrete_make_symbolic(&x, 1, \"x\");\n    symcrete_make_symbolic(&y, 1, \"y\");\n    \
         if (y > 9) {\n        mode = 1;\n        o[0] = 1;\n        use(x);\n        return 1;\n    }\n    o[0] = y & 1;\n    use(x);\n    \
         if (h == 1) return 2;\n    if (h == 2) return 3;\n    return 4;\n}\n",
    );
}

#[test]
fn the_difference_of_addresses_may_be_zero() {
    agree(
        "#include <symcrete.h>\nstatic char buf[4], *cur = buf;\nstatic int kind(unsigned char c) {\n    if (c > 9) cur++;\n    \
         unsigned long used = cur - buf;\n    return used ? 1 : 2;\n}\n\
         int main(void) {\n    unsigned char c;\n    symcrete_make_symbolic(&c, 1, \"c\");\n    \
         if (kind(c) == 1) return c > 99 ? 1 : 4;\n    return c > 3 ? 2 : 5;\n}\n",
    );
}

#[test]
fn functions_are_called_through_pointers_of_other_types() {
    agree(
        r#"#include <symcrete.h>
int x, calls;
void leave(int a) { if (a > 3) x = 1; }
int count(int a) { calls++; return a > 7; }
struct entry { void (*run)(void); } table[2] = {{(void (*)(void))leave}, {(void (*)(void))count}};
int apply(unsigned which, int a) { return ((int (*)(int))table[which & 1].run)(a) == 1; }
int main(void) {
    unsigned which = symcrete_int("which");
    int a = symcrete_int("a");
    int gave = apply(which | 1, a);
    if (x) return 1;
    apply(which, a);
    if (x) return 2;
    return calls == 2 ? 3 + gave : 5;
}
"#,
    );
}

#[test]
fn what_is_read_across_two_elements_is_of_both() {
    agree(
        r#"#include <symcrete.h>
int a[2], k;
void set(unsigned i, int v) { a[i & 1] = 0x00010001; if (v > 5) k = 1; }
int main(void) {
    unsigned i = symcrete_int("i");
    set(i, symcrete_int("v"));
    int half = *(int *)((char *)a + 2);
    if (half == 0x00010001) return 1;
    if (half == 1) return 2;
    return half == 0x10000 ? 3 : 4;
}
"#,
    );
}

#[test]
fn null_may_be_left_where_something_is_added() {
    agree(
        r#"#include <symcrete.h>
static char text[8];
static char *find(unsigned char c, unsigned n) { char *p = c > 9 ? text : 0; return p + (n & 3); }
int main(void) {
    unsigned char c;
    symcrete_make_symbolic(&c, 1, "c");
    char *p = find(c, symcrete_int("n"));
    if (!p) return 1;
    if (p == (char *)2) return 2;
    return p == text ? 3 : 4;
}
"#,
    );
}

/// What `cover` says of a program in lazy mode.
fn said_of(text: &str, flags: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("program.c");
    fs::write(&source, text).unwrap();
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--mode", "lazy"]).args(flags);
    let shown = run(command.arg("--out").arg(folder.path().join("out")).arg(&source), b"");
    serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{shown:?}"))
}

#[test]
fn what_several_calls_count_has_a_bound() {
    // `count` finds what an earlier call left, and goes through all of it again.
    let said = said_of(
        "#include <symcrete.h>\nstatic int n, e;\n\
         static int count(int a) { if (a <= 0) { e = 1; return -1; } n++; return 0; }\n\
         static int both(int a, int b) { if (count(a)) return 1; if (count(b)) return 2; return n == 2 ? 3 : 0; }\n\
         int main(void) { int r = both(symcrete_int(\"a\"), symcrete_int(\"b\")); return r > 2 ? 5 : r; }\n",
        &["--no-deeper"],
    );
    let functions = &said["stats"]["lazy"]["functions"];
    assert_eq!(
        (&functions["unbounded"], &functions["needed"]),
        (&Value::from(Vec::<Value>::new()), &Value::from(Vec::<Value>::new())),
        "{said}"
    );
    assert_eq!(functions["passed_over"], serde_json::json!(["both"]), "{said}");
}

#[test]
fn conditions_that_lead_to_the_same_are_one_way_through_a_call() {
    // Ten characters that may be skipped for three reasons each, and a value that is one of two: eleven ways, and not 3^10 of them.
    let said = said_of(
        "#include <symcrete.h>\nstatic char text[11];\nstatic int at;\n\
         static int skip(void) {\n    while (text[at] == ' ' || text[at] == '\\t' || text[at] == '\\n') at++;\n    \
         if (text[at] == '-' || text[at] == '+' || text[at] == '*') return 1;\n    return text[at] == 'x' ? 7 : 2;\n}\n\
         int main(void) {\n    symcrete_make_symbolic(text, 10, \"text\");\n    int kind = skip();\n    \
         if (kind == 7 && at == 10) return 1;\n    return kind == 1 && at == 9 ? 2 : 3;\n}\n",
        &["--no-deeper"],
    );
    assert_eq!((&said["exhausted"], &said["tests"]), (&Value::from(true), &Value::from(4)), "{said}");
    assert!(said["stats"]["lazy"]["expansions"].as_u64().unwrap() <= 40, "{said}");
}

#[test]
fn faults_that_no_path_under_test_needs_are_looked_for_beside_it() {
    let text = "#include <symcrete.h>\n\
        static int tag(unsigned char t) {\n    static const unsigned char map[16] = {0, 1, 2};\n    \
        if (t & 0x80) return -1;\n    return map[t >> 2];\n}\n\
        int main(void) {\n    unsigned char t;\n    symcrete_make_symbolic(&t, 1, \"t\");\n    \
        if (tag(t) < 0) return 2;\n    return 3;\n}\n";
    let (alone, said) = (said_of(text, &["--no-deeper"]), said_of(text, &[]));
    let faults = |said: &Value| said["findings"].as_array().unwrap().len();
    assert_eq!((faults(&said), &said["stats"]["lazy"]["functions"]["follows_all"]), (1, &Value::from(true)), "{said}");
    assert_eq!((faults(&alone), &alone["stats"]["lazy"]["whole_paths"]), (0, &Value::from(0)), "{alone}");
    // What is under test has the same paths.
    assert_eq!(alone["stats"]["lazy"]["abstract_paths"], said["stats"]["lazy"]["abstract_paths"]);
}

#[test]
fn a_path_that_fails_because_a_call_gave_memory_back_stands_for_no_other() {
    let said = said_of(
        "#include <stdlib.h>\n#include <symcrete.h>\nstruct node { int value; };\nstatic struct node *node;\n\
         static void drop(int c) { if (c > 10) free(node); }\n\
         int main(void) {\n    int c = symcrete_int(\"c\"), d = symcrete_int(\"d\");\n    node = malloc(sizeof *node);\n    \
         node->value = 3;\n    drop(c);\n    if (d == 5) return node->value;\n    return c == 12 ? 7 : 0;\n}\n",
        &["--no-deeper"],
    );
    // Where `d` is 5: one test that reads what is no more there, and one that returns.
    assert_eq!((&said["exhausted"], &said["tests"]), (&Value::from(true), &Value::from(4)), "{said}");
    assert_eq!(said["findings"].as_array().unwrap().len(), 1, "{said}");
}

#[test]
fn null_and_something_is_near_null() {
    let said = said_of(
        "#include <symcrete.h>\nstatic char text[4], *cursor;\nstatic int seen[4], count;\n\
         static char *look(int n) {\n    for (int i = 0; i < 3; i++) if (n == i) { seen[count++] = n; return 0; }\n    return text;\n}\n\
         static void find(int n) { cursor = look(n) + 1; }\n\
         int main(void) {\n    cursor = text;\n    find(symcrete_int(\"n\"));\n    if (cursor < text) return 1;\n    \
         return cursor > text ? 3 : 2;\n}\n",
        &["--no-deeper", "--abstract", "find"],
    );
    assert_eq!(
        (&said["exhausted"], &said["stats"]["lazy"]["concretised"]),
        (&Value::from(true), &Value::from(2)),
        "{said}"
    );
}

#[test]
fn what_ends_inside_of_a_call_is_no_path_of_its_caller() {
    // Where `n` may be anything, the body of a record may be anywhere; where `parse` is called, it cannot.
    let said = said_of(
        "#include <symcrete.h>\nstruct record { unsigned char type, length; const unsigned char *body; };\n\
         static int parse(const unsigned char *b, int n, struct record *r) {\n    if (n < 2) return 0;\n    r->type = b[0];\n    \
         r->length = b[1];\n    if (r->length > n - 2) return -1;\n    r->body = b + 2;\n    return 2 + r->length;\n}\n\
         static int handle(const struct record *r, int *sum) {\n    switch (r->type) {\n    case 1: *sum += r->body[0]; break;\n    \
         case 2: *sum = 2; break;\n    case 3: *sum ^= r->body[r->length]; break;\n    }\n    return 1;\n}\n\
         int main(void) {\n    unsigned char b[6];\n    int at = 0, sum = 0, n;\n    struct record r;\n    \
         symcrete_make_symbolic(b, 5, \"b\");\n    while ((n = parse(b + at, 4 - at, &r)) > 0) {\n        handle(&r, &sum);\n        \
         at += n;\n    }\n    return 0;\n}\n",
        &["--no-deeper"],
    );
    assert_eq!(
        (&said["exhausted"], said["findings"].as_array().map(Vec::len)),
        (&Value::from(true), Some(0)),
        "{said}"
    );
}
