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
