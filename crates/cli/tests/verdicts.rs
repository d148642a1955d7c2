//! `symcrete reach`: what is said of lines without code, of closing braces, and of lines behind which a program takes long.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use serde_json::Value;
use support::{run, symcrete};

/// What is said of a line of a program that consists of this text.
fn verdict(name: &str, text: &str, line: usize, flags: &[&str]) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join(name);
    fs::write(&program, text).unwrap();
    let mut command = symcrete();
    command.args(["reach", "--json", "--time", "60", "--out"]).arg(folder.path().join("out"));
    let shown = run(command.args(flags).arg(format!("{}:{line}", program.display())), b"");
    let said = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{name}:{line}: {shown:?}"));
    (said, shown.status)
}

/// The numbers of lines with a mark, as `//~ reached`, and the verdict that it asks for.
fn marked(text: &str) -> Vec<(usize, String)> {
    let mark =
        |(at, line): (usize, &str)| Some((at + 1, line.split_once("~ ")?.1.trim_end_matches("*/").trim().to_owned()));
    text.lines().enumerate().filter_map(mark).collect()
}

fn check(name: &str, text: &str, flags: &[&str]) {
    let marked = marked(text);
    assert!(!marked.is_empty());
    for (line, expected) in marked {
        let (said, status) = verdict(name, text, line, flags);
        let known = match &*expected {
            "reached" => 0,
            "unreachable" => 4,
            _ => 3,
        };
        assert_eq!((said["verdict"].as_str(), status), (Some(&*expected), known), "{name}:{line} {flags:?}: {said}");
    }
}

const NO_CODE: &str = "#include <symcrete.h>
static int choose(int x) {
    int y = 0;
    //~ reached
    y = x;
    switch (x) {
    case 1:             //~ no-code
        y = 3;
        //~ no-code
    case 2:             //~ no-code
        y = 4;
        break;
    default:            //~ no-code
        y = 5;
        //~ reached
        y += x;
    }
    if (x == 7) {
        if (x == 8) {
            //~ unreachable
            y = 99;     //~ unreachable
            //~ no-code
        }
    }
#if 0
    //~ no-code
    y = 17;             //~ no-code
#else                   //~ no-code
    y++;
#endif                  //~ no-code
    int z;              //~ no-code
    /*~ reached */
    z = y;
    return z;
}

//~ no-code
int main(void) {
    int x = symcrete_int(\"x\");
    return choose(x);
}
//~ no-code
";

#[test]
fn only_a_blank_line_stands_for_the_next_one_of_its_block() {
    check("plain.c", NO_CODE, &[]);
    let (said, _) = verdict("plain.c", NO_CODE, 4, &[]);
    assert_eq!((&said["target"]["asked_line"], &said["target"]["line"]), (&4.into(), &5.into()), "{said}");
}

/// What optimised code says of a line is at most that there is no code, or no proof.
#[test]
fn lines_of_optimised_code_are_not_mistaken_for_others() {
    for level in ["--cflag=-O1", "--cflag=-O2"] {
        for (line, expected) in marked(NO_CODE) {
            if expected != "reached" {
                let (said, status) = verdict("optimised.c", NO_CODE, line, &[level]);
                assert_eq!(status, 3, "{level}, line {line}: {said}");
            }
        }
    }
}

/// Counters of source regions know nothing of a brace behind statements that all return.
#[test]
fn closing_braces_are_confirmed() {
    let text = "#include <symcrete.h>
static int sign(int x) {
    if (x > 3) {
        return 1;
    } else {            //~ no-code
        return 2;
    }                   //~ no-code
}                       //~ reached
static int dead(int x) {
    if (x > 5 && x < 3) {
        while (x > 0)
            x--;
    }                   //~ unreachable
    return x;
}                       //~ no-code
static int kind(int x) {
    switch (x) {
    case 1: return 3;
    default: return 4;
    }
}                       //~ reached
int main(void) {
    int x = symcrete_int(\"x\");
    return sign(x) + dead(x) + kind(x);
}
";
    check("braces.c", text, &[]);
}

/// What a program does behind a target takes no part in the answer, be it long or without an end.
#[test]
fn a_path_ends_at_its_target() {
    let programs = [
        // Found by a concrete run.
        "#include <symcrete.h>\n#include <stdio.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    if (x > 0)\n        \
         x = 3; //~ reached\n    for (;;)\n        fprintf(stderr, \"%d\", x);\n}\n",
        // Only by a symbolic path.
        "#include <symcrete.h>\nint main(void) {\n    unsigned char b[64];\n    symcrete_make_symbolic(b, sizeof b, \"b\");\n    \
         if (b[3] == 7 && b[5] == 99 && b[8] == 23)\n        b[0] = 3; //~ reached\n    unsigned s = 0;\n    \
         for (unsigned long i = 0; i < 3000000000ul; i++)\n        s = s * 31 + b[i % 64];\n    return s == 4;\n}\n",
        // The engine does not sleep, the real program does.
        "#include <symcrete.h>\n#include <unistd.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    if (x == 423523)\n        \
         x = 3; //~ reached\n    sleep(3600);\n    return 0;\n}\n",
    ];
    for text in programs {
        for flags in [&[][..], &["--mode", "forward"]] {
            check("long.c", text, flags);
        }
    }
}

/// Programs whose lines are executed only if the surroundings do something that the engine does not show, or never.
const ASSUMED: [(&str, &str); 24] = [
    (
        "malloc.c",
        "#include <stdlib.h>\nint main(void) {\n    char *p = malloc(16);\n    if (p == NULL)\n        return 1; //~ unknown\n    free(p);\n    return 0;\n}\n",
    ),
    (
        "through_pointer.c",
        "#include <stdlib.h>\nstatic struct { void *(*get)(size_t); } memory = {malloc};\nint main(void) {\n    char *p = memory.get(16);\n    \
         if (p == NULL)\n        return 1; //~ unknown\n    free(p);\n    return 0;\n}\n",
    ),
    (
        "calloc.c",
        "#include <stdlib.h>\nstruct s { int *p; } s;\nstatic int make(void) {\n    s.p = calloc(4, 4);\n    return s.p ? 0 : -1;\n}\n\
        int main(void) {\n    if (make() < 0)\n        return 1; //~ unknown\n    return s.p[1];\n}\n",
    ),
    (
        "realloc.c",
        "#include <stdlib.h>\nint main(void) {\n    int *p = malloc(4), *q;\n    *p = 3;\n    q = realloc(p, 4000);\n    if (!q) {\n        \
        if (*p != 3)\n            return 2; //~ unknown\n        return 1; //~ unknown\n    }\n    return 0;\n}\n",
    ),
    (
        "wrapper.c",
        "#include <stdlib.h>\n#include <stdio.h>\nstatic void *xmalloc(size_t n) {\n    void *p = malloc(n);\n    if (!p) {\n        \
        fprintf(stderr, \"no memory\\n\"); //~ unknown\n        exit(1);\n    }\n    return p;\n}\nint main(void) {\n    char *p = xmalloc(3);\n    \
        if (!p)\n        return 1; //~ unreachable\n    return 0;\n}\n",
    ),
    (
        "at_once.c",
        "#include <symcrete.h>\n#include <stdlib.h>\nstruct list { struct list *next; int x; };\nint main(void) {\n    int x = symcrete_int(\"x\");\n    \
        struct list *list = malloc(sizeof *list);\n    list->x = x;\n    if (x == 5 && list->x == 6)\n        return 1; //~ unreachable\n    return 0;\n}\n",
    ),
    (
        "strdup.c",
        "#include <string.h>\nint main(void) {\n    if (!strdup(\"a\"))\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "tmpfile.c",
        "#include <stdio.h>\nint main(void) {\n    FILE *f = tmpfile();\n    if (!f)\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "fopen.c",
        "#include <stdio.h>\nint main(void) {\n    FILE *f = fopen(\"/dev/null\", \"r\");\n    if (!f)\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "printf.c",
        "#include <symcrete.h>\n#include <stdio.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    printf(\"%d\\n\", x);\n    if (x > 5 && x < 3)\n        \
        return 1; //~ unreachable\n    if (puts(\"a\") < 0)\n        return 2; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "handler.c",
        "#include <signal.h>\nstatic volatile sig_atomic_t flag;\nstatic void set(int s) {\n    flag = s; //~ unknown\n}\nint main(void) {\n    \
        signal(SIGINT, set);\n    if (flag)\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "ordinary_flag.c",
        "#include <signal.h>\nstatic int flag;\nstatic void set(int s) { flag = s; }\nint main(void) {\n    struct sigaction action = {0};\n    \
        action.sa_handler = set;\n    sigaction(SIGALRM, &action, 0);\n    if (flag)\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "ignored.c",
        "#include <symcrete.h>\n#include <signal.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    signal(SIGPIPE, SIG_IGN);\n    \
        if (x > 5 && x < 3)\n        return 1; //~ unreachable\n    return 0;\n}\n",
    ),
    (
        "register.c",
        "#include <symcrete.h>\n#include <stdint.h>\n#define STATUS (*(volatile uint32_t *)0x40001000)\nint main(void) {\n    \
        int x = symcrete_int(\"x\");\n    if (x == 5 && STATUS & 1)\n        return 1; //~ unknown\n    if (x == 5)\n        return 2; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "device.c",
        "volatile unsigned status;\nstatic unsigned ready(void) { return status & 1; }\nint main(void) {\n    if (ready())\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "slot.c",
        "#include <symcrete.h>\nvolatile int sink;\nint main(void) {\n    volatile int x = symcrete_int(\"x\");\n    sink = 3;\n    (void)sink;\n    int y = x;\n    \
        if (y == 3 && y == 4)\n        return 1; //~ unreachable\n    return 0;\n}\n",
    ),
    (
        "beyond.c",
        "#include <symcrete.h>\nint table[4] = {1, 2, 3, 4};\nint main(void) {\n    int x = symcrete_int(\"x\");\n    \
        symcrete_assume(x >= 0 && x <= 4);\n    int y = table[x];\n    if (y > 4 || y < 1)\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "written_beyond.c",
        "#include <symcrete.h>\nstruct { char name[4]; int admin; } user;\nint main(void) {\n    unsigned n = symcrete_uint(\"n\");\n    \
        symcrete_assume(n < 6);\n    char *name = user.name;\n    for (unsigned i = 0; i < n; i++)\n        name[i] = 'x';\n    if (user.admin)\n        \
        return 1; //~ reached\n    char *copy = name + 8;\n    int admin = user.admin;\n    if (n == 2)\n        copy[n] = 3;\n    \
        if (user.admin != admin)\n        return 2; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "called_back.c",
        "void each(void (*)(int));\nvoid poke(void);\nstatic int n;\nint shared;\nstatic void set(int x) {\n    n = x; //~ unknown\n}\n\
        int main(void) {\n    n = 0;\n    shared = 0;\n    each(set);\n    if (n == 4)\n        return 1; //~ unknown\n    poke();\n    \
        if (shared == 4)\n        return 2; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "thread.c",
        "#include <pthread.h>\nstatic int flag;\nstatic void *set(void *p) {\n    flag = 2;\n    return p;\n}\nint main(void) {\n    \
        pthread_t thread;\n    pthread_create(&thread, 0, set, 0);\n    flag = 1;\n    if (flag == 2)\n        return 1; //~ unknown\n    \
        return 0;\n}\n",
    ),
    (
        "assembly.c",
        "int x;\nstatic void set(void) {\n    __asm__ volatile(\"movl $7, x(%%rip)\" ::: \"memory\");\n}\nint main(void) {\n    x = 3;\n    \
        set();\n    if (x == 7)\n        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "device_struct.c",
        "struct pair { int a, b; };\nvolatile struct pair device;\nint main(void) {\n    struct pair pair = device;\n    if (pair.b)\n        \
        return 1; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "system.c",
        "#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void) {\n    if (system(\"true\") == 0)\n        \
        return 1; //~ unknown\n    if (sysconf(_SC_NPROCESSORS_CONF) > 1)\n        return 2; //~ unknown\n    if (ftell(stdout) == -1)\n        \
        return 3; //~ unknown\n    return 0;\n}\n",
    ),
    (
        "locale.c",
        "#include <locale.h>\n#include <wctype.h>\n#include <symcrete.h>\nint main(void) {\n    int x = symcrete_int(\"x\");\n    \
        if (x == 3 && x == 4)\n        return 2; //~ unreachable\n    setlocale(LC_CTYPE, \"C.UTF-8\");\n    if (iswalpha(0xe4))\n        \
        return 1; //~ unknown\n    return 0;\n}\n",
    ),
];

/// A contradiction is one whatever the surroundings do: the backward search forgets what calls of the library and volatile reads give.
#[test]
fn contradictions_hold_in_any_surroundings() {
    let text = "#include <symcrete.h>
#include <stdlib.h>
#include <unistd.h>
volatile int device;
struct node { struct node *next; int value; };
static struct node *push(struct node *list, int value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        return list;
    node->next = list;
    node->value = value;
    return node;
}
int main(void) {
    int x = symcrete_int(\"x\");
    struct node *list = push(push(0, x), 3);
    int y = device;
    if (x > 5 && x < 3)
        return 9;       //~ unreachable
    if (list->value != 3)
        return 7;       //~ unknown
    if (y == 3 && y == 4)
        return 6;       //~ unreachable
    if (y == 3)
        return 5;       //~ unknown
    return 0;
}
";
    check("contradiction.c", text, &[]);
    // No way leads from the error to the line.
    let text = "#include <symcrete.h>\nint table[4];\nint main(void) {\n    int x = symcrete_int(\"x\");\n    if (x > 5 && x < 3)\n        \
                return 1; //~ unreachable\n    return table[x & 7];\n}\n";
    check("error_behind.c", text, &[]);
    check("error_behind.c", text, &["--mode", "forward"]);
}

/// A proof that takes something of the surroundings for granted is none, and says what it is.
#[test]
fn what_the_surroundings_may_do_is_no_proof() {
    for (name, text) in ASSUMED {
        for flags in [&[][..], &["--mode", "forward"]] {
            check(name, text, flags);
        }
    }
    let (said, _) = verdict("malloc.c", ASSUMED[0].1, 5, &[]);
    assert!(said["reason"].as_str().unwrap().contains("malloc.c:3: `malloc` was assumed to find memory"), "{said}");
}
