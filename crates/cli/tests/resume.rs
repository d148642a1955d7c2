//! Limits that lose nothing: states put aside for lack of memory, a search that is interrupted, and one that is resumed come to the same
//! paths as one that was never disturbed.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Shown, root, run, symcrete};

/// Paths of tests/resume/many_states.c.
const PATHS: u64 = 1 << 18;

fn cover(out: &Path, flags: &[&str]) -> Command {
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--out"]).arg(out).args(flags);
    command
}

fn many_states(out: &Path, flags: &[&str]) -> Command {
    let mut command = cover(out, flags);
    command.args(["--search", "bfs", "--join", "never"]).arg(root().join("tests/resume/many_states.c"));
    command
}

fn resume(out: &Path, flags: &[&str]) -> Command {
    let mut command = symcrete();
    command.args(["cover", "--resume"]).arg(out).args(flags);
    command
}

fn json(shown: &Shown) -> Value {
    serde_json::from_slice(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}"))
}

fn finished(command: &mut Command) -> Value {
    let shown = run(command, b"");
    assert_eq!(shown.status, 0, "{command:?}: {}", shown.stderr);
    json(&shown)
}

/// Sends Ctrl-C as soon as the first test is there. The signal is the shell's, whose `kill` everybody has.
fn interrupted(command: &mut Command, out: &Path) -> Shown {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !out.join("tests/000001.json").exists() {
        assert!(began.elapsed() < Duration::from_secs(120), "no test was written");
        std::thread::yield_now();
    }
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap().into()
}

#[test]
fn many_states_in_little_memory_interrupted_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let whole = finished(&mut many_states(&folder.path().join("whole"), &["--memory", "4096"]));
    assert_eq!(whole["paths"]["completed"], PATHS);

    let out = folder.path().join("parts");
    let first = interrupted(&mut many_states(&out, &["--memory", "64"]), &out);
    assert_eq!(first.status, 130, "{first:?}");
    assert_eq!(json(&first)["exhausted"], false);
    // Half of the instructions: by then the search has spread to most of the states. To how many depends on when memory ran short: states
    // that come back from the disk are not in the order of breadth.
    let second = finished(&mut resume(&out, &["--budget-steps", "8000000"]));
    assert!(second["stats"]["most_states"].as_u64().unwrap() >= 100_000, "{second}");
    assert!(second["pending"].as_u64().unwrap() > 0, "{second}");
    let last = finished(&mut resume(&out, &[]));
    assert_eq!(last["exhausted"], true);
    assert_eq!(last["paths"], whole["paths"]);
    assert_eq!(last["stats"]["path_digest"], whole["stats"]["path_digest"]);
    assert!(!out.join("frontier").exists());
}

/// Where paths are joined depends on the path alone: not on the order, on workers, or on having been put aside.
#[test]
fn joined_paths_are_the_same_in_every_order() {
    let folder = tempfile::tempdir().unwrap();
    let program = root().join("tests/symbolic/crc32.c");
    let searched = |name: &str, flags: &[&str]| {
        let all = [&["--join", "6", "--max-loop", "40"], flags].concat();
        let shown = run(cover(&folder.path().join(name), &all).arg(&program), b"");
        // Whether the fault is among the first paths depends on the order.
        assert!(shown.status == 1 || name == "stopped" && shown.status == 0, "{shown:?}");
        json(&shown)
    };
    let whole = searched("whole", &[]);
    for (name, flags) in [("dfs", &["--search", "dfs"]), ("jobs", &["--jobs", "2"]), ("memory", &["--memory", "1"])] {
        let other = searched(name, flags);
        assert_eq!(other["paths"], whole["paths"], "{name}");
        assert_eq!(other["stats"]["path_digest"], whole["stats"]["path_digest"], "{name}");
    }
    let mut last = searched("stopped", &["--max-paths", "30"]);
    while folder.path().join("stopped/frontier").exists() {
        last = json(&run(&mut resume(&folder.path().join("stopped"), &["--max-paths", "30"]), b""));
    }
    assert_eq!(last["stats"]["path_digest"], whole["stats"]["path_digest"]);
    assert_eq!(last["findings"].as_array().map(Vec::len), Some(1), "{last}");
}

/// Programs in which addresses, lengths and function pointers are inputs, and strategies and workers that go through them in other
/// orders: the number of paths stays what it is.
#[test]
fn stopped_again_and_again() {
    for name in
        ["constant_table.c", "function_pointers.c", "hash_table.c", "malloc_size.c", "pointer_choice.c", "roman.c"]
    {
        let program = root().join("tests/symbolic").join(name);
        let folder = tempfile::tempdir().unwrap();
        let status = |shown: &Shown| assert!(matches!(shown.status, 0 | 1), "{name}: {shown:?}");
        let whole = run(cover(&folder.path().join("whole"), &[]).arg(&program), b"");
        status(&whole);
        for jobs in ["1", "2"] {
            let out = folder.path().join(jobs);
            let flags = ["--max-paths", "2", "--jobs", jobs, "--search", "random-path"];
            let mut last = run(cover(&out, &flags).arg(&program), b"");
            let mut runs = 1;
            while out.join("frontier").exists() {
                status(&last);
                last = run(&mut resume(&out, &["--max-paths", "3"]), b"");
                runs += 1;
                assert!(runs < 1000, "{name} does not come to an end");
            }
            status(&last);
            let (whole, last) = (json(&whole), json(&last));
            assert_eq!(whole["paths"], last["paths"], "{name} with {jobs} jobs, in {runs} runs");
            let places = |result: &Value| {
                let findings = result["findings"].as_array().unwrap().iter();
                let mut places: Vec<String> = findings.map(|one| format!("{} {}", one["kind"], one["line"])).collect();
                places.sort();
                places
            };
            assert_eq!(places(&whole), places(&last), "{name}");
        }
    }
}

#[test]
fn what_cannot_be_resumed_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let nothing = run(&mut resume(folder.path(), &[]), b"");
    assert_eq!(nothing.status, 2);
    assert!(nothing.stderr.contains("nothing to go on with"), "{}", nothing.stderr);

    let stopped = run(&mut many_states(&out, &["--max-paths", "3"]), b"");
    assert_eq!(stopped.status, 0, "{}", stopped.stderr);
    let other = run(resume(&out, &[]).arg(root().join("benches/symbolic/regexp.c")), b"");
    assert_eq!(other.status, 2);
    assert!(other.stderr.contains("another program"), "{}", other.stderr);

    let file = out.join("frontier");
    let bytes = std::fs::read(&file).unwrap();
    for broken in [&bytes[..bytes.len() - 1], &bytes[..30], b"", &[&bytes[..], b"x"].concat()] {
        std::fs::write(&file, broken).unwrap();
        let damaged = run(&mut resume(&out, &[]), b"");
        assert_eq!(damaged.status, 2);
        assert!(damaged.stderr.contains("is damaged"), "{}", damaged.stderr);
    }
    std::fs::write(&file, &bytes).unwrap();
    let on = run(&mut resume(&out, &["--max-paths", "3"]), b"");
    assert_eq!((on.status, json(&on)["paths"]["completed"].as_u64()), (0, Some(6)), "{}", on.stderr);
}

/// Once all code is covered, a bounded amount of work follows; what remains is told of, and `--every-path` or a later run follows it.
#[test]
fn a_search_ends_when_all_code_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    let program = root().join("tests/resume/all_covered.c");
    let out = folder.path().join("out");
    for jobs in ["1", "2"] {
        // Without the end, this many paths would take hours.
        let done = finished(cover(&out, &["--time", "600", "--jobs", jobs]).arg(&program));
        assert_eq!((&done["stopped"], &done["exhausted"]), (&Value::from("covered"), &Value::from(false)), "{done}");
        assert_eq!(done["coverage"]["lines"]["covered"], done["coverage"]["lines"]["total"]);
        assert!(done["pending"].as_u64().unwrap() > 1000, "{done}");
    }
    let mut command = symcrete();
    let text = run(command.args(["cover", "--no-replay", "--out"]).arg(&out).arg(&program), b"");
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("done: all code is covered; ") && text.contains(" paths were not followed"), "{text}");
    assert!(!text.contains("every path was followed"), "{text}");
    let on = json(&run(&mut resume(&out, &["--json"]), b""));
    assert_eq!(on["stopped"], "covered");
    // Whoever wants each path gets no such end.
    let all = finished(cover(&out, &["--every-path", "--max-paths", "300", "--search", "dfs"]).arg(&program));
    assert_eq!(all["stopped"], "paths", "{all}");
}

/// A fault that only some values show, in code that was covered without it, is found within the work that follows.
#[test]
fn faults_are_looked_for_after_all_code_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("late.c");
    let text = "void klee_make_symbolic(void *, unsigned long, const char *);\n\
                int main(void) {\n\
                    unsigned char bits[32]; int table[9] = {0}, places[32]; unsigned n = 0;\n\
                    klee_make_symbolic(bits, sizeof bits, \"bits\");\n\
                    for (unsigned at = 0; at < sizeof bits; at++) if (bits[at] == 'x') places[n++] = at;\n\
                    return table[n];\n\
                }\n";
    std::fs::write(&program, text).unwrap();
    let shown = run(cover(&folder.path().join("out"), &["--time", "600"]).arg(&program), b"");
    let found = json(&shown);
    assert_eq!((shown.status, &found["stopped"]), (1, &Value::from("covered")), "{shown:?}");
    assert_eq!(found["findings"][0]["line"], 6, "{found}");
}

/// An output directory is named from where one stands, and options come from the file of the project, as before.
#[test]
fn a_search_is_resumed_from_another_folder() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <klee/klee.h>
int main(void) {
    for (int rounds = 0;; rounds++) {
        unsigned char x;
        klee_make_symbolic(&x, sizeof x, \"x\");
        if (x == 7)
            return rounds;
    }
}
";
    std::fs::write(folder.path().join("program.c"), text).unwrap();
    std::fs::write(
        folder.path().join("symcrete.toml"),
        "[cover]\nmax-paths = 4\nno-replay = true\nout = \"results\"\n",
    )
    .unwrap();
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let first = finished(symcrete().current_dir(folder.path()).args(["cover", "program.c", "--json"]));
    assert_eq!(first["stopped"], "paths", "{first}");
    let second = finished(symcrete().current_dir(&inside).args(["cover", "--resume", "../results"]));
    let completed = |result: &Value| result["paths"]["completed"].as_u64().unwrap();
    assert!(completed(&second) > completed(&first), "{second}");
}
