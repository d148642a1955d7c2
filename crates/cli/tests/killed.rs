//! `kill -9`: the output directory is valid at every moment, and a search that is resumed from its latest checkpoint, however often that is, comes
//! to the same paths, findings and coverage as one that was never disturbed.
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use support::{Shown, run, symcrete};

/// Many short paths that write to memory, two faults, and a line that few paths come to.
const PROGRAM: &str = r#"
#include <symcrete.h>
int main(void) {
    unsigned char in[10];
    unsigned places[10], n = 0, sum = 0;
    symcrete_make_symbolic(in, sizeof in, "in");
    for (unsigned at = 0; at < sizeof in; at++) {
        if (in[at] > 200)
            places[n++] = at;
        else if (in[at] == 'a')
            sum += at;
    }
    if (n == 10)
        return places[9] == 9 ? 3 : 4;
    if (sum == 44)
        return 10 / (int)(n - 1);
    if (n == 7 && sum > 14)
        symcrete_assert(sum != 15);
    return 0;
}
"#;

/// Numbers that are different for each seed and the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

fn program(folder: &Path) -> PathBuf {
    let path = folder.join("program.c");
    std::fs::write(&path, PROGRAM).unwrap();
    path
}

fn cover(program: &Path, out: &Path, flags: &[&str]) -> Command {
    let mut command = symcrete();
    command.args(["cover", "--json", "--no-replay", "--checkpoint", "0.02", "--out"]);
    command.arg(out).args(flags).arg(program);
    command
}

fn resume(out: &Path) -> Command {
    let mut command = symcrete();
    command.args(["cover", "--resume"]).arg(out);
    command
}

fn json(shown: &Shown) -> Value {
    serde_json::from_slice(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown:?}"))
}

/// What does not depend on the order in which paths are followed.
fn facts(result: &Value) -> (Value, Value, Vec<String>, Value) {
    let findings = result["findings"].as_array().unwrap().iter();
    let mut findings: Vec<String> = findings.map(|one| format!("{} {}", one["kind"], one["line"])).collect();
    findings.sort();
    let covered = ["lines", "branches"].map(|what| result["coverage"][what]["covered"].clone());
    (result["paths"].clone(), result["stats"]["path_digest"].clone(), findings, covered.into())
}

/// Lets a search run until it wrote so many checkpoints and a little longer, and kills it. Whether it was still running.
fn killed(command: &mut Command, out: &Path, checkpoints: u64, longer: u64) -> bool {
    let mut child: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (mut seen, mut latest) = (0, Vec::new());
    while seen < checkpoints && child.try_wait().unwrap().is_none() {
        let now = std::fs::read(out.join("frontier")).unwrap_or_default();
        if now != latest {
            (seen, latest) = (seen + 1, now);
        }
        std::thread::yield_now();
    }
    (0..longer).for_each(|_| std::thread::yield_now());
    let runs = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    runs
}

/// Whoever looks at the directory of a killed run finds whole files.
fn assert_valid(out: &Path) {
    let report: Value = serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap();
    if report["status"] != "complete" {
        assert_eq!(report["status"], "interrupted", "{report}");
        assert!(std::fs::read(out.join("frontier")).unwrap().starts_with(b"symcrete frontier"));
    }
    for entry in std::fs::read_dir(out.join("tests")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let test: Result<Value, _> = serde_json::from_slice(&std::fs::read(&path).unwrap());
            assert!(test.is_ok(), "{}: {test:?}", path.display());
        }
    }
    for finding in report["findings"].as_array().unwrap() {
        let test = Path::new(finding["test"].as_str().unwrap());
        assert!(test.exists(), "{}", test.display());
    }
}

#[test]
fn a_search_that_is_killed_again_and_again_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let whole = json(&run(&mut cover(&program, &folder.path().join("whole"), &["--join", "never"]), b""));
    assert_eq!(whole["findings"].as_array().map(Vec::len), Some(2), "{whole}");
    for (seed, flags) in (0..).zip([
        &["--jobs", "1", "--join", "never"][..],
        &["--jobs", "2", "--join", "never"],
        &["--jobs", "3", "--join", "never", "--search", "bfs"],
        &["--jobs", "2", "--join", "never", "--search", "dfs", "--memory", "1"],
    ]) {
        let mut numbers = Numbers(seed);
        let out = folder.path().join(seed.to_string());
        let mut command = cover(&program, &out, flags);
        let mut kills = 0;
        // The first time as soon as it begins, when no run is over, however fast the machine is.
        while kills < 6 && {
            let (checkpoints, longer) = (numbers.below(4), numbers.below(3000));
            let (checkpoints, longer) = if kills == 0 { (1, 0) } else { (1 + checkpoints, longer) };
            killed(&mut command, &out, checkpoints, longer)
        } {
            assert_valid(&out);
            command = resume(&out);
            kills += 1;
        }
        assert!(kills > 0, "{flags:?}: it was over before it could be killed");
        if !out.join("frontier").exists() {
            // The latest run came to its end.
            let report: Value = serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap();
            assert_eq!((&report["status"], &report["paths"]), (&Value::from("complete"), &whole["paths"]));
            continue;
        }
        let last = run(&mut resume(&out), b"");
        assert_eq!(last.status, 1, "{flags:?}: {last:?}");
        let last = json(&last);
        assert_eq!(last["exhausted"], true, "{flags:?}: {last}");
        assert_eq!(facts(&last), facts(&whole), "{flags:?}, killed {kills} times");
        let report: Value = serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap();
        assert_eq!((&report["status"], &report["paths"]), (&Value::from("complete"), &whole["paths"]));
        assert!(!out.join("frontier").exists());
        let logs = std::fs::read_dir(&out).unwrap().flatten();
        assert_eq!(logs.filter(|file| file.file_name().to_string_lossy().starts_with("frontier")).count(), 0);
    }
}

#[test]
fn concolic_testing_goes_on_after_it_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let mode = ["--mode", "concolic"];
    let whole = json(&run(&mut cover(&program, &folder.path().join("whole"), &mode), b""));
    let out = folder.path().join("out");
    let mut command = cover(&program, &out, &mode);
    for checkpoints in 1..3 {
        if !killed(&mut command, &out, checkpoints, 100) {
            break;
        }
        assert_valid(&out);
        command = resume(&out);
    }
    assert!(out.join("frontier").exists(), "it came to its end before it could be killed");
    let last = json(&run(&mut resume(&out), b""));
    assert_eq!(facts(&last), facts(&whole));
}

/// What cannot be resumed is said when it starts, not afterwards.
#[test]
fn modes_without_checkpoints_say_so_when_they_start() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path());
    let out = folder.path().join("out");
    for flags in [&["cover", "--mode", "lazy", "--max-paths", "2"][..], &["reach", "program.c:15"]] {
        let mut command = symcrete();
        let shown = run(command.current_dir(folder.path()).args(flags).arg(&program).arg("--out").arg(&out), b"");
        assert!(shown.stderr.contains("keeps no checkpoints"), "{shown:?}");
    }
    let mut command = symcrete();
    let shown = run(command.arg("reach").arg(&program).arg("--resume").arg(&out), b"");
    assert_eq!(shown.status, 2);
    assert!(shown.stderr.contains("unexpected argument '--resume'"), "{}", shown.stderr);
}
