//! The reference pages of the book are what `symcrete reference` prints. SYMCRETE_BLESS=1 writes them.
#![allow(clippy::unwrap_used)]

mod support;

use std::fs;

use support::{root, run, symcrete};

const COMMANDS: [&str; 7] = ["cover", "reach", "replay", "run", "solve", "doctor", "schema"];

#[test]
fn the_reference_pages_are_current() {
    let folder = root().join("docs/book/src/commands");
    let blesses = std::env::var_os("SYMCRETE_BLESS").is_some();
    for command in COMMANDS {
        let shown = run(symcrete().args(["reference", command]), b"");
        assert_eq!(shown.status, 0, "{shown:?}");
        let path = folder.join(format!("{command}.md"));
        if blesses {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &shown.stdout).unwrap();
        }
        let known = fs::read(&path).unwrap_or_default();
        assert!(
            known == shown.stdout,
            "{} is not current; SYMCRETE_BLESS=1 cargo test -p symcrete-cli --test reference renews it",
            path.display()
        );
    }
}

#[test]
fn every_command_has_a_page() {
    let shown = run(symcrete().arg("--help"), b"");
    let text = String::from_utf8(shown.stdout).unwrap();
    let commands = text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    let mut expected = COMMANDS.to_vec();
    expected.push("help");
    assert_eq!(names, expected);
    let shown = run(symcrete().args(["reference", "covr"]), b"");
    assert_eq!(
        shown.stderr,
        "symcrete: there is no command `covr`; there are cover, reach, replay, run, solve, doctor, schema\n  hint: did you \
         mean `cover`?\n"
    );
}
