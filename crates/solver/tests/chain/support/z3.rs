//! Z3's answers to printed queries, many in one process. Where there is no Z3, there is no second opinion.

use std::io::Write;
use std::process::{Command, Stdio};

/// The answers to scripts with one `check-sat` each; `None` if there is no Z3.
pub fn answers(scripts: &[String]) -> Option<Vec<String>> {
    let started = Command::new("z3")
        .args(["-in", "-t:2000", "-memory:2000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut process) = started else {
        eprintln!("z3 is not installed: no second opinion");
        return None;
    };
    let mut input = process.stdin.take().unwrap();
    let text: String = scripts.iter().map(|script| format!("{script}(echo \"--\")\n(reset)\n")).collect();
    let writer = std::thread::spawn(move || {
        input.write_all(text.as_bytes()).unwrap();
    });
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<String> = output.split("--\n").map(|answer| answer.trim().to_owned()).collect();
    assert_eq!(answers.len(), scripts.len() + 1, "{output}");
    Some(answers[..scripts.len()].to_vec())
}

/// Checks that Z3 says of every script what we said. `unknown` contradicts nobody.
pub fn confirm(queries: &[(String, &'static str)]) {
    let scripts: Vec<String> = queries.iter().map(|(script, _)| script.clone()).collect();
    let Some(answers) = answers(&scripts) else { return };
    for ((script, ours), theirs) in queries.iter().zip(&answers) {
        assert!(
            theirs == ours || theirs == "unknown" || theirs == "timeout" || *ours == "unknown",
            "we say {ours}, z3 says {theirs}:\n{script}"
        );
        assert!(!theirs.contains("error"), "z3 cannot read this: {theirs}\n{script}");
    }
}
