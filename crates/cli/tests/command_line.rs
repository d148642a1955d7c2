//! The command line itself: its groups of options, how durations and sizes are written, and what is said of slips.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use support::{Shown, run, symcrete};
use tempfile::TempDir;

const BRANCH: &str = "int main(void) { return 0; }\nint helper(int value) { return value > 4; }\n";

/// A folder with one program.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.c"), BRANCH).unwrap();
    folder
}

fn shown(folder: &TempDir, words: &[&str]) -> Shown {
    run(symcrete().current_dir(folder.path()).args(words), b"")
}

fn stdout(words: &[&str]) -> String {
    let shown = run(symcrete().args(words), b"");
    assert_eq!(shown.status, 0, "{words:?}: {shown:?}");
    String::from_utf8(shown.stdout).unwrap()
}

/// The headings of a help text, in their order.
fn headings(help: &str) -> Vec<&str> {
    help.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.strip_suffix(':')).collect()
}

#[test]
fn options_stand_in_groups() {
    let groups = ["Arguments", "Options", "Program", "Inputs", "Limits", "Output", "Search", "Solver", "Research"];
    for command in ["cover", "reach"] {
        assert_eq!(headings(&stdout(&[command, "--help"])), groups, "{command}");
        assert_eq!(headings(&stdout(&[command, "-h"])), groups[..7], "{command}");
    }
    assert_eq!(
        headings(&stdout(&["replay", "--help"])),
        ["Arguments", "Options", "Program", "Inputs", "Limits", "Output"]
    );
}

#[test]
fn a_command_takes_what_it_uses() {
    let folder = folder();
    for flag in ["--every-path", "--resume", "--checkpoint", "--partition", "--abstract", "--simplify"] {
        let shown = shown(&folder, &["reach", "program.c:1", flag]);
        assert_eq!(shown.status, 2);
        assert!(shown.stderr.contains(&format!("unexpected argument '{flag}'")), "{}", shown.stderr);
    }
    let shown = shown(&folder, &["doctor", "-D", "X"]);
    assert!(shown.status == 2 && shown.stderr.contains("unexpected argument '-D'"), "{shown:?}");
}

#[test]
fn durations_and_sizes_have_units() {
    let folder = folder();
    for time in ["500ms", "10s", "2m", "1h30m", "7"] {
        assert_eq!(shown(&folder, &["run", "program.c", "--time", time]).status, 0, "{time}");
    }
    let shown = |words: &[&str]| {
        let shown = shown(&folder, words);
        assert_eq!(shown.status, 2, "{words:?}: {shown:?}");
        shown.stderr
    };
    let text = shown(&["run", "program.c", "--time", "10x"]);
    let expected = "error: invalid value '10x' for '--time <TIME>': give a duration above 0, such as `90`, `10s`, `2m`, \
                    `1h30m` or `500ms` (without a unit, seconds)\n";
    assert!(text.starts_with(expected), "{text}");
    let text = shown(&["replay", "tests", "--memory", "2X"]);
    let expected = "error: invalid value '2X' for '--memory <SIZE>': give a size above 0, such as `512M` or `2G` (without a \
                    unit, a whole number of MiB)\n";
    assert!(text.starts_with(expected), "{text}");
}

/// The last two lines on standard error: what is wrong, and what was probably meant.
fn told(folder: &TempDir, words: &[&str]) -> [String; 2] {
    let shown = shown(folder, words);
    assert_eq!(shown.status, 2, "{words:?}: {shown:?}");
    let lines: Vec<&str> = shown.stderr.lines().filter(|line| !line.contains("keeps no checkpoints")).collect();
    let [message, hint] = lines[..] else { panic!("{words:?}: not two lines: {}", shown.stderr) };
    [message.to_owned(), hint.to_owned()]
}

#[test]
fn slips_in_names_get_a_hint() {
    let folder = folder();
    let known = "it has: helper, main";
    let rows: &[(&[&str], &str, &str)] = &[
        (&["cover", "program.c", "--entry", "halper"], "the program has no function `halper`; ", "helper"),
        (&["reach", "program.c:1", "--entry", "hellper"], "the program has no function `hellper`; ", "helper"),
        (&["cover", "program.c", "--pure", "mian"], "the program has no function `mian`; ", "main"),
        (
            &["cover", "program.c", "--mode", "lazy", "--abstract", "helpr"],
            "the program has no function `helpr`; ",
            "helper",
        ),
    ];
    for (words, message, meant) in rows {
        let [first, second] = told(&folder, words);
        assert!(first.starts_with(&format!("symcrete: {message}")), "{first}");
        assert!(words.contains(&"--pure") || words.contains(&"--abstract") || first.ends_with(known), "{first}");
        assert_eq!(second, format!("  hint: did you mean `{meant}`?"));
    }
    let [first, second] = told(&folder, &["run", "porgram.c"]);
    assert_eq!(first, "symcrete: cannot read porgram.c: No such file or directory (os error 2)");
    assert_eq!(second, "  hint: did you mean `program.c`?");
    fs::create_dir(folder.path().join("inside")).unwrap();
    fs::write(folder.path().join("inside/other.c"), BRANCH).unwrap();
    assert_eq!(told(&folder, &["run", "insde/other.c"])[1], "  hint: did you mean `inside/other.c`?");
    assert_eq!(told(&folder, &["replay", "insid", "program.c"])[1], "  hint: did you mean `inside`?");
    let [first, second] = told(&folder, &["run", "program.c", "--clang", "clagn"]);
    let expected = "symcrete: cannot start clagn: no program on the path has this name; install it, or name another with \
                    --clang";
    assert_eq!((&*first, &*second), (expected, "  hint: did you mean `clang`?"));
    let [first, second] = told(&folder, &["cover", "program.c", "--search", "dsf"]);
    assert!(first.starts_with("symcrete: there is no search strategy `dsf`; there are combined[:latest], "), "{first}");
    assert_eq!(second, "  hint: did you mean `dfs`?");
    let [first, second] = told(&folder, &["reach", "halper", "program.c"]);
    assert!(first.starts_with("symcrete: `halper` is neither a file nor FILE:LINE nor a function of "), "{first}");
    assert_eq!(second, "  hint: did you mean `helper`?");
    let unknown = shown(&folder, &["cover", "program.c", "--entry", "quite_another_name"]);
    assert!(!unknown.stderr.contains("hint"), "{}", unknown.stderr);
}

#[test]
fn slips_in_values_and_options_get_a_tip() {
    let folder = folder();
    for (words, tip) in [
        (&["cover", "--mode", "lasy"][..], "a similar value exists: 'lazy'"),
        (&["cover", "--solver", "bitwuzzla"], "a similar value exists: 'bitwuzla'"),
        (&["cover", "--format", "ktset"], "a similar value exists: 'ktest'"),
        (&["cover", "--tiem", "3"], "a similar argument exists: '--time'"),
        (&["covr"], "a similar subcommand exists: 'cover'"),
    ] {
        let shown = shown(&folder, words);
        assert!(shown.status == 2 && shown.stderr.contains(tip), "{words:?}: {}", shown.stderr);
    }
}

/// A project with its defaults in `symcrete.toml`, and a folder inside.
fn project(text: &str) -> TempDir {
    let folder = folder();
    fs::create_dir(folder.path().join("inside")).unwrap();
    fs::write(folder.path().join("symcrete.toml"), text).unwrap();
    folder
}

fn printed(folder: &TempDir, inside: &str, words: &[&str]) -> String {
    let shown = run(symcrete().current_dir(folder.path().join(inside)).args(words).arg("--print-config"), b"");
    assert_eq!(shown.status, 0, "{words:?}: {shown:?}");
    String::from_utf8(shown.stdout).unwrap()
}

#[test]
fn a_file_has_the_defaults_of_a_project() {
    let text = "memory = \"512M\"\nseed = 7\n[cover]\ntime = \"1m\"\nevery-path = true\nformat = [\"ktest\", \"c\"]\n\
                sym-args = [0, 2, 3]\nout = \"build/tests\"\nmemory = \"1G\"\n[reach]\nrounds = 3\n";
    let folder = project(text);
    let values = |inside: &str, words: &[&str]| -> Vec<String> {
        let text = printed(&folder, inside, words);
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
    };
    let has = |values: &[String], rows: &[&str]| {
        for row in rows {
            assert!(values.iter().any(|value| value == row), "`{row}` is not in {values:#?}");
        }
    };
    let cover = values("", &["cover", "program.c", "--seed", "9", "--format", "rust"]);
    assert_eq!(cover[..2], ["# symcrete cover, with symcrete.toml", "[cover]"]);
    let rows = [
        "time = \"1m\" # symcrete.toml:4",
        "memory = \"1G\" # symcrete.toml:9",
        "every-path = true # symcrete.toml:5",
        "format = [\"rust\"] # --format",
        "seed = 9 # --seed",
        "sym-args = [0, 2, 3] # symcrete.toml:7",
        "out = \"build/tests\" # symcrete.toml:8",
        "jobs = 1 # default",
        "leaks = false # default",
        "# max-paths # not set",
    ];
    has(&cover, &rows);
    has(&values("", &["cover", "--every-path=false"]), &["every-path = false # --every-path"]);
    has(&values("", &["cover", "--no-config"]), &["memory = \"2G\" # default", "every-path = false # default"]);
    let reach = values("", &["reach"]);
    has(&reach, &["rounds = 3 # symcrete.toml:11", "memory = \"512M\" # symcrete.toml:1", "# time # not set"]);
    has(&values("", &["run"]), &["seed = 7 # symcrete.toml:2"]);
    // From a folder inside, paths are still those of the file.
    let out = folder.path().canonicalize().unwrap().join("build/tests");
    let inside = values("inside", &["cover"]).into_iter().find(|row| row.starts_with("out = ")).unwrap();
    assert!(inside.starts_with(&format!("out = \"{}\" # ", out.display())), "{inside}");
    // What is printed is what is read.
    let again = folder.path().join("again.toml");
    fs::write(&again, printed(&folder, "", &["cover"])).unwrap();
    let again = values("", &["cover", "--config", "again.toml"]);
    assert!(again.iter().any(|row| row.starts_with("memory = \"1G\" # again.toml:")), "{again:#?}");
}

#[test]
fn a_file_decides_what_runs() {
    let folder = project("[cover]\nno-replay = true\njson = true\nout = \"results\"\ntime = \"20s\"\n");
    let shown = run(symcrete().current_dir(folder.path().join("inside")).args(["cover", "../program.c"]), b"");
    assert_eq!(shown.status, 0, "{shown:?}");
    let document: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert!(document["replay"].is_null(), "{document}");
    assert!(folder.path().join("results/tests").is_dir());
    let text = run(symcrete().current_dir(folder.path()).args(["cover", "program.c", "--json=false"]), b"");
    assert!(String::from_utf8(text.stdout).unwrap().contains("done: every path was followed"), "{:?}", text.stderr);
}

#[test]
fn slips_in_a_file_are_told_with_their_line() {
    let error = |text: &str| {
        let shown = shown(&project(text), &["cover", "program.c"]);
        assert_eq!((shown.status, shown.stdout.len()), (2, 0), "{text}: {shown:?}");
        shown.stderr
    };
    let rows = [
        (
            "\n[cover]\ntiem = \"1m\"\n",
            "symcrete: symcrete.toml:3: unknown key `tiem` in [cover]; keys are the long names of options\n  hint: did you \
             mean `time`?\n",
        ),
        (
            "[covr]\n",
            "symcrete: symcrete.toml:1: unknown table [covr]; there are [cover], [reach], [run], [replay]\n  hint: \
                      did you mean `cover`?\n",
        ),
        (
            "[reach]\nevery-path = true\n",
            "symcrete: symcrete.toml:2: unknown key `every-path` in [reach]; keys are the long names of options\n",
        ),
        ("resume = \"out\"\n", "symcrete: symcrete.toml:1: `resume` is for the command line only\n"),
        ("unsafe-replay = true\n", "symcrete: symcrete.toml:1: `unsafe-replay` is for the command line only\n"),
        (
            "time = \"soon\"\n",
            "symcrete: symcrete.toml:1: invalid value 'soon' for '--time <TIME>': give a duration above 0, such as `90`, \
             `10s`, `2m`, `1h30m` or `500ms` (without a unit, seconds)\n",
        ),
        ("leaks = 1\n", "symcrete: symcrete.toml:1: `leaks` takes true or false\n"),
        ("seed = [1, 2]\n", "symcrete: symcrete.toml:1: `seed` takes one value, not a list\n"),
    ];
    for (text, expected) in rows {
        assert_eq!(error(text), expected, "{text}");
    }
    assert!(error("seed = \n").starts_with("symcrete: symcrete.toml:1: "), "{}", error("seed = \n"));
}
