//! What commands report, and how: findings with where they come from, those that the real program does not confirm, the lines that no
//! test executes, the line on the terminal, and refused numbers.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::path::PathBuf;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::{Value, json};
use support::cover::written_tests;
use support::{Shown, run, symcrete};
use tempfile::TempDir;

/// A folder with one program, and room for its tests.
struct Case {
    folder: TempDir,
    program: PathBuf,
}

impl Case {
    fn new(text: &str) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program.c");
        fs::write(&program, text).unwrap();
        Case { folder, program }
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn cover(&self, flags: &[&str]) -> Shown {
        run(symcrete().arg("cover").arg(&self.program).arg("--out").arg(self.out()).args(flags), b"")
    }

    fn json(&self, flags: &[&str]) -> (i32, Value) {
        let shown = self.cover(&[&["--json"], flags].concat());
        (shown.status, serde_json::from_slice(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}")))
    }

    fn replay(&self) -> (i32, Value) {
        let mut command = symcrete();
        command.arg("replay").arg(self.out()).arg(&self.program).arg("--json");
        let shown = run(&mut command, b"");
        (shown.status, serde_json::from_slice(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}")))
    }
}

fn text(shown: &Shown) -> String {
    String::from_utf8(shown.stdout.clone()).unwrap()
}

fn assert_contains(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
}

/// The engine rounds to nearest, whatever the program says.
const ROUNDING: &str = "#include <symcrete.h>
#include <assert.h>
#include <fenv.h>
int main(void) {
    int x = symcrete_int(\"x\");
    volatile double one = 1, three = 3;
    fesetround(FE_UPWARD);
    double third = one / three;
    if (x == 7)
        assert(third > 0.33333333333333333);
    return 0;
}
";

#[test]
fn what_the_real_program_does_not_confirm_is_no_finding() {
    let case = Case::new(ROUNDING);
    let shown = case.cover(&[]);
    assert_eq!(shown.status, 0, "{shown:?}");
    let apart = format!("shown by {}", case.out().join("diverged").display());
    assert_contains(
        &text(&shown),
        &[
            "not confirmed: ",
            "program.c:10: assertion",
            &apart,
            "replay: expected assertion-failed",
            "0 findings, 1 not confirmed",
        ],
    );
    let (status, result) = case.json(&[]);
    assert_eq!((status, &result["findings"]), (0, &json!([])), "{result}");
    let unconfirmed = &result["unconfirmed"][0];
    assert_eq!(unconfirmed["line"], 10, "{result}");
    assert_contains(unconfirmed["reason"].as_str().unwrap(), &["expected assertion-failed"]);
    assert!(fs::exists(unconfirmed["test"].as_str().unwrap()).unwrap(), "{result}");
    // Without replay nothing contradicts the engine.
    let (status, result) = case.json(&["--no-replay"]);
    assert_eq!((status, &result["unconfirmed"]), (1, &json!([])), "{result}");
    assert_eq!(result["findings"][0]["confirmed_by"], "engine");
    assert_contains(
        &text(&case.cover(&["--no-replay"])),
        &["confirmed by the engine alone: --no-replay", "1 finding,"],
    );
}

/// One of the tests of a finding may diverge, and another one confirm it.
#[test]
fn one_confirming_test_is_enough() {
    let case = Case::new(&ROUNDING.replace("x == 7", "x > 7").replace("third >", "x % 2 ? x == 0 : third >"));
    let (status, result) = case.json(&["--every-path"]);
    assert_eq!((status, &result["unconfirmed"]), (1, &json!([])), "{result}");
    assert_eq!(result["findings"][0]["confirmed_by"], "replay", "{result}");
}

#[test]
fn findings_say_where_they_come_from() {
    let case = Case::new(
        "#include <stdlib.h>
#include <string.h>
static char *make(int size) { return malloc(size); }
static void drop(char *text) {
    free(text);
}
static int use(char *text) {
    return text[1];
}
int stale(int x) {
    char *text = make(8);
    text[1] = 2;
    if (x == 3)
        drop(text);
    int got = use(text);
    if (x != 3)
        drop(text);
    return got;
}
int copy(int x) {
    char room[4];
    strcpy(room, x == 9 ? \"long\" : \"abc\");
    return room[0];
}
",
    );
    let shown = case.cover(&["--entry", "stale"]);
    assert_eq!(shown.status, 1, "{shown:?}");
    let path = case.program.display().to_string();
    assert_contains(
        &text(&shown),
        &[
            &format!("{path}:8: use after free: read of 1 byte"),
            &format!("\n        at {path}:8:12 in `use`\n        8 |     return text[1];\n"),
            &format!("\n  called at {path}:15:15 in `stale`\n"),
            "\n  the address is 1 byte into a heap allocation of 8 bytes\n",
            &format!("\n    allocated at {path}:3:38 in `make`, called at {path}:11:18 in `stale`\n"),
            &format!("\n    freed at {path}:5:5 in `drop`, called at {path}:14:9 in `stale`\n"),
            "    with x = 3\n    shown by ",
        ],
    );
    let (_, result) = case.json(&["--entry", "copy"]);
    let finding = &result["findings"][0];
    assert_eq!((&finding["inside"], &finding["stack"][0]["line"]), (&json!("strcpy"), &json!(22)), "{result}");
    assert_contains(finding["details"][0].as_str().unwrap(), &["at the end of the variable `room` of `copy`"]);
}

/// What dead words on the stack point to is leaked all the same.
#[test]
fn leaks_are_confirmed_by_every_replay() {
    let list = "#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *add(int value, struct node *next) {
    struct node *new = malloc(sizeof *new);
    *new = (struct node){value, next};
    return new;
}
int sum(int count) {
    struct node *list = 0;
    for (int i = 0; i < count && i < 4; i++)
        list = add(i, list);
    int sum = 0;
    for (struct node *at = list; at; at = at->next)
        sum += at->value;
    if (count == 3)
        return sum;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}
";
    let main = "#include <symcrete.h>\nint main(void) { int count = symcrete_int(\"count\"); ";
    let programs: [(String, &[&str]); 3] = [
        (list.to_owned(), &["--leaks", "--entry", "sum"]),
        (format!("{list}{main}sum(count); exit(0); }}\n"), &["--leaks"]),
        (format!("{list}{main}return sum(count) == 100; }}\n"), &["--leaks"]),
    ];
    for (program, flags) in programs {
        let case = Case::new(&program);
        let (status, covered) = case.json(flags);
        assert_eq!((status, &covered["findings"][0]["confirmed_by"]), (1, &json!("replay")), "{covered}");
        for _ in 0..2 {
            let (status, replayed) = case.replay();
            assert_eq!((status, &replayed["findings"][0]["kind"]), (1, &json!("leak")), "{replayed}");
            assert_eq!(replayed["confirmed"], covered["tests"], "{replayed}");
        }
        assert_contains(
            &text(&case.cover(flags)),
            &["memory leak: 48 bytes", "allocated at ", " in `add`\n", "called at "],
        );
    }
}

#[test]
fn addresses_read_like_addresses() {
    let case = Case::new(
        "typedef struct node { struct node *next; int value; } *list;
int length(list first, int *other, char **words) {
    if ((unsigned long)other == 0x123456789)
        return 1;
    return first && first->next == 0 && words && words[0] ? first->value : 3;
}
",
    );
    case.json(&["--entry", "length"]);
    let tests = written_tests(&case.out());
    let pointers: Vec<_> = tests.iter().flat_map(|(_, test)| &test.inputs).collect();
    assert!(pointers.iter().any(|input| input.name == "first" && input.value.starts_with("0x")), "{pointers:?}");
    for input in pointers {
        let bytes = input.bytes.clone().unwrap();
        let address = u64::from_le_bytes(bytes.try_into().unwrap());
        let shown = if address == 0 { "null".to_owned() } else { format!("{address:#x}") };
        assert_eq!(input.value, shown, "{input:?}");
    }
}

const PARTS: &str = "#include <symcrete.h>
static int by_pointer(int x) {
    if (x > 1000)
        if (x < 1000)
            return 5;
    return 1;
}
static int (*table[])(int) = {by_pointer};
int never_called(int x) {
    return x + 1;
}
static inline int never_emitted(int x) {
    return x + 2;
}
int main(void) {
    int x = symcrete_int(\"x\");
    if (x != x) {
        x++;
        // A comment.
        x--;
    }
    return table[0](x);
}
";

#[test]
fn lines_that_no_test_executes_are_listed() {
    let case = Case::new(PARTS);
    for flags in [&[][..], &["--no-replay"]] {
        let (_, result) = case.json(flags);
        let coverage = &result["coverage"];
        let rows = coverage["uncovered"].as_array().unwrap();
        let told: Vec<_> = rows.iter().map(|row| (row["function"].as_str().unwrap(), row["ranges"].clone())).collect();
        assert_eq!(told[0], ("by_pointer", json!([[5, 5]])), "{coverage}");
        assert_eq!((told.len(), told[1].0), (2, "main"), "{coverage}");
        // Whether the closing brace is a line of its own depends on who counts.
        assert!(told[1].1 == json!([[18, 20]]) || told[1].1 == json!([[18, 21]]), "{coverage}");
        let unreached: Vec<_> = coverage["unreached_functions"].as_array().unwrap().iter().collect();
        assert!(unreached.iter().any(|function| function["function"] == "never_called"), "{coverage}");
        let shown = text(&case.cover(flags));
        assert_contains(
            &shown,
            &["not covered:\n", "  by_pointer  5\n", "  main        18-2", "no call from `main` reaches"],
        );
        assert!(!shown.contains("never_called"), "{shown}");
    }
    // Functions that the entry does not reach are not its business.
    let (_, result) = case.json(&["--entry", "never_called"]);
    let rows = result["coverage"]["uncovered"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["function"] == "by_pointer"), "{result}");
    assert_contains(&text(&case.cover(&["--entry", "never_called"])), &["no call from `never_called` reaches"]);
}

/// A terminal of which standard error is all, as a person would see it.
struct Terminal {
    master: File,
    /// The side of the command.
    slave: Option<File>,
}

impl Terminal {
    fn new(columns: u16) -> Terminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let slave = OpenOptions::new().read(true).write(true).open(name).unwrap();
        let terminal = Terminal { master: File::from(master), slave: Some(slave) };
        terminal.resize(columns);
        terminal
    }

    fn resize(&self, columns: u16) {
        tcsetwinsize(&self.master, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    }

    /// Runs a command; `watch` is given the lines that were drawn, as they come.
    fn run(mut self, arguments: &[&str], mut watch: impl FnMut(&Terminal, &str)) -> String {
        let mut child = symcrete()
            .args(arguments)
            .env("TERM", "xterm")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(self.slave.take().unwrap())
            .spawn()
            .unwrap();
        let mut master = self.master.try_clone().unwrap();
        // The command is the only writer: when it ends, reading fails.
        let (mut all, mut buffer) = (String::new(), [0; 4096]);
        while let Ok(count @ 1..) = master.read(&mut buffer) {
            let piece = String::from_utf8_lossy(&buffer[..count]).into_owned();
            watch(&self, &piece);
            all.push_str(&piece);
        }
        child.wait().unwrap();
        all
    }
}

const ENDLESS: &str = "#include <symcrete.h>
int main(void) {
    int sum = 0;
    for (int i = 0; i < 100000; i++)
        sum += symcrete_int(\"x\") > sum ? i : -i;
    if (sum * sum == 77)
        return 1;
    return 0;
}
";

/// The lines that were drawn, each in place of the one before.
fn drawn(all: &str) -> Vec<&str> {
    assert!(!all.contains('\n'), "{all:?}");
    let lines = all.split("\r\x1b[J").map(|line| line.trim_end_matches('\r'));
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    assert!(lines.iter().all(|line| !line.contains(['\r', '\x1b'])), "{all:?}");
    assert!(all.ends_with("\r\x1b[J"), "something is left on the terminal: {all:?}");
    lines
}

#[test]
fn progress_is_one_line_as_wide_as_the_terminal() {
    let case = Case::new(ENDLESS);
    let (program, out) = (case.program.display().to_string(), case.out().display().to_string());
    let target = format!("{program}:7");
    let cover = ["cover", &program, "--out", &out, "--time", "2", "--no-replay"];
    let reach = ["reach", &target, "--mode", "forward", "--out", &out, "--time", "2", "--no-replay"];
    for command in [&cover[..], &reach] {
        let all = Terminal::new(60).run(command, |_, _| ());
        // What is said before the search begins stays.
        let searching = all.rsplit_once('\n').map_or(all.as_str(), |(_, searching)| searching);
        let lines = drawn(searching);
        assert!(lines.iter().all(|line| line.len() <= 59), "{all:?}");
        assert!(lines.iter().any(|line| line.contains("path")), "{all:?}");
    }
    // Made narrower after the first line.
    let all = Terminal::new(60).run(&cover, |terminal, piece| {
        if piece.contains("paths") {
            terminal.resize(30);
        }
    });
    let lines = drawn(&all);
    let short = lines.iter().skip_while(|line| line.len() > 29).count();
    assert!(short + 3 >= lines.len() && short > 0, "{all:?}");
    assert!(lines.iter().rev().take(short).all(|line| line.len() <= 29), "{all:?}");
}

#[test]
fn replay_tells_its_progress() {
    let case = Case::new("#include <unistd.h>\nint main(void) { usleep(300000); return 0; }\n");
    let tests = case.folder.path().join("list.json");
    fs::write(&tests, format!("[{}]", ["{\"ends\":{\"kind\":\"exit\",\"status\":0}}"; 4].join(","))).unwrap();
    let command = ["replay", tests.to_str().unwrap(), case.program.to_str().unwrap(), "--jobs", "1"];
    let all = Terminal::new(60).run(&command, |_, _| ());
    assert!(drawn(&all).iter().any(|line| line.ends_with("of 4 tests run natively")), "{all:?}");
}

/// Every flag that takes numbers, of every command: the smallest one that is refused with it.
#[test]
fn numbers_that_mean_nothing_are_refused() {
    const SEARCH: &[(&str, &[&str])] = &[
        ("--call-time", &["0", "-1", "nan"]),
        ("--query-time", &["0", "-1", "inf"]),
        ("--time", &["0", "-1", "-0.5", "nan", "inf", "soon", "1e300"]),
        ("--budget-steps", &["0", "-1", "1.5"]),
        ("--memory", &["0", "-1", "much", "1.5", "99999999999999999999"]),
        ("--jobs", &["0", "-1", "100000"]),
        ("--seed", &["-1", "x"]),
        ("--max-len", &["-1"]),
        ("--elements", &["0", "-1"]),
        ("--max-paths", &["0", "-1"]),
        ("--max-depth", &["-1", "4294967296"]),
        ("--max-loop", &["-1"]),
        ("--max-steps", &["0", "-1"]),
        ("--max-values", &["0", "-1"]),
        ("--join", &["0", "-1", "always"]),
        ("--sym-stdin", &["-1", "4294967295"]),
    ];
    const RUN: &[(&str, &[&str])] =
        &[("--call-time", &["0", "-1"]), ("--time", &["0", "-1", "nan"]), ("--seed", &["-1"])];
    const REPLAY: &[(&str, &[&str])] =
        &[("--time", &["0", "-1", "nan"]), ("--memory", &["0", "-1"]), ("--jobs", &["0", "-1"])];
    const SOLVE: &[(&str, &[&str])] = &[("--time", &["0", "-1", "nan"]), ("--seed", &["-1"])];
    const ROUNDS: &[(&str, &[&str])] = &[("--rounds", &["-1", "x"])];
    let case = Case::new("int main(void) { return 0; }\n");
    let program = case.program.to_str().unwrap();
    let refuses = |command: &str, flags: &[&str]| {
        let shown = run(symcrete().current_dir(case.folder.path()).args([command, program]).args(flags), b"");
        assert_eq!(shown.status, 2, "{command} {flags:?}: {shown:?}");
        let is_told = shown.stderr.contains(flags[0]) && shown.stderr.contains("give a");
        assert!(is_told && shown.stderr.contains(flags[flags.len() - 1]), "{command} {flags:?}: {shown:?}");
        assert!(!shown.stderr.contains("unexpected argument"), "{command} {flags:?}: {shown:?}");
    };
    let tables =
        [("cover", SEARCH), ("reach", SEARCH), ("reach", ROUNDS), ("run", RUN), ("replay", REPLAY), ("solve", SOLVE)];
    for (command, table) in tables {
        for (flag, values) in table {
            for value in *values {
                refuses(command, &[flag, value]);
            }
        }
    }
    for command in ["cover", "reach"] {
        refuses(command, &["--sym-args", "0", "1", "-1"]);
        refuses(command, &["--sym-args", "0", "1", "4294967295"]);
        refuses(command, &["--sym-files", "1", "-1"]);
        refuses(command, &["--sym-files", "1", "4294967295"]);
    }
    assert!(!case.folder.path().join("symcrete-out").exists(), "something was written");
}

/// Names and messages of a program are no commands to the terminal.
#[test]
fn control_characters_are_shown_and_not_obeyed() {
    let case = Case::new(
        "#include <symcrete.h>\nint main(void) {\n    int x = symcrete_int(\"x\\x1b[31m\");\n    if (x == 3)\n        \
         symcrete_target();\n    return x == 3 ? *(int *)8 : 0;\n}\n",
    );
    let shown = text(&case.cover(&["--no-replay"]));
    assert!(shown.contains("with x\\u{1b}[31m = 3") && !shown.contains('\u{1b}'), "{shown}");
}
