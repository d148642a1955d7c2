//! The programs below tests/symbolic: what their comments say, and whether `symcrete cover` agrees. How the comments are written
//! is told in tools/count-paths, which checks them against native runs.

use std::fs;
use std::path::{Path, PathBuf};

use super::cover::{Covered, cover};
use super::root;

pub struct Program {
    pub path: PathBuf,
    pub name: String,
    /// For `symcrete cover`.
    pub flags: Vec<String>,
    paths: Paths,
    /// Line and kind of each guilty line's bugs.
    findings: Vec<(u64, String)>,
    /// Lines that use what was never written; told as warnings, not as findings.
    uninitialised: Vec<u64>,
    pub is_exhaustive: bool,
    /// Whether native runs can tell the paths apart.
    pub has_oracle: bool,
}

enum Paths {
    Exactly(u64),
    AtLeast(u64),
    Any,
}

const UNINITIALISED: &str = "uninitialised value";

/// All of them, by name.
pub fn all() -> Vec<Program> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("tests/symbolic"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    paths.iter().map(|path| parse(path)).collect()
}

/// The program of a name.
pub fn named(name: &str) -> Program {
    parse(&root().join("tests/symbolic").join(name))
}

fn parse(path: &Path) -> Program {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    let directive = |wanted: &str| {
        let prefix = format!("// {wanted}:");
        text.lines().find_map(|line| line.strip_prefix(&prefix)).map(|rest| rest.trim().to_owned())
    };
    let paths = directive("paths").unwrap_or_else(|| panic!("{name} does not say how many paths it has"));
    let number = |words: &str| words.parse().unwrap_or_else(|_| panic!("{name}: cannot read `// paths: {paths}`"));
    let paths = match paths.strip_prefix("at least ") {
        Some(least) => Paths::AtLeast(number(least)),
        None if paths == "any" => Paths::Any,
        None => Paths::Exactly(number(&paths)),
    };
    let mut guilty: Vec<(u64, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let kinds = line.split_once("//~").map_or("", |(_, kinds)| kinds);
        let kinds = kinds.split(',').map(str::trim).filter(|kind| !kind.is_empty());
        guilty.extend(kinds.map(|kind| (index as u64 + 1, kind.to_owned())));
    }
    let mut kinds: Vec<&str> = guilty.iter().map(|(_, kind)| kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let kinds = if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
    assert_eq!(directive("findings").as_deref(), Some(kinds.as_str()), "{name}: `// findings:` and the guilty lines");
    guilty.sort();
    let (uninitialised, findings): (Vec<_>, Vec<_>) = guilty.into_iter().partition(|(_, kind)| kind == UNINITIALISED);
    Program {
        path: path.to_owned(),
        flags: directive("flags").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        paths,
        findings,
        uninitialised: uninitialised.into_iter().map(|(line, _)| line).collect(),
        is_exhaustive: directive("exhaustive").is_some_and(|words| words == "yes"),
        has_oracle: directive("oracle").is_none_or(|words| words != "none"),
        name,
    }
}

impl Program {
    /// The program and its flags, with more flags between them: arguments of the program come last.
    pub fn flags_with<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let own = self.flags.iter().map(String::as_str);
        let path = self.path.to_str().expect("a path in UTF-8");
        [path].into_iter().chain(more.iter().copied()).chain(own).collect()
    }

    /// Whether everything is as the comments say.
    pub fn check(&self) -> Result<(), String> {
        let out = tempfile::tempdir().unwrap();
        let covered = cover(out.path(), self.flags_with(&[])).map_err(|why| format!("{}: {why}", self.name))?;
        let troubles = self.troubles(&covered);
        if troubles.is_empty() {
            return Ok(());
        }
        Err(format!("{}:\n    {}", self.name, troubles.join("\n    ")))
    }

    fn troubles(&self, covered: &Covered) -> Vec<String> {
        let mut troubles = Vec::new();
        let mut expect = |right: bool, what: String| {
            if !right {
                troubles.push(what);
            }
        };
        let paths = covered.paths();
        match self.paths {
            Paths::Exactly(wanted) => expect(paths == wanted, format!("{paths} paths, not {wanted}")),
            Paths::AtLeast(wanted) => expect(paths >= wanted, format!("{paths} paths, not {wanted} or more")),
            Paths::Any => {}
        }
        let findings = covered.findings();
        expect(findings == self.findings, format!("findings {findings:?}, not {:?}", self.findings));
        let status = i32::from(!self.findings.is_empty());
        expect(covered.shown.status == status, format!("status {}, not {status}", covered.shown.status));
        let warned = self.warned_lines(covered);
        expect(
            warned == self.uninitialised,
            format!("uninitialised values at {warned:?}, not {:?}", self.uninitialised),
        );
        if self.is_exhaustive {
            expect(covered.is_exhausted(), format!("not exhausted: {}", covered.json));
            expect(covered.list("limits").is_empty(), format!("limits: {}", covered.json["limits"]));
        }
        // Every finding has a test beside it that shows it.
        for finding in covered.list("findings") {
            let test = finding["test"].as_str().map(Path::new);
            expect(test.is_some_and(Path::is_file), format!("no test shows {finding}"));
        }
        troubles.extend(covered.replay_troubles());
        troubles.extend(covered.internal_errors());
        troubles
    }

    /// Where the warnings say that something uninitialised is used.
    fn warned_lines(&self, covered: &Covered) -> Vec<u64> {
        let line = |warning: &str| {
            let rest = warning.split_once(&format!("{}:", self.name))?.1;
            let (line, words) = rest.split_once(':')?;
            words.contains("uninitialised value").then(|| line.parse().ok())?
        };
        let mut lines: Vec<u64> =
            covered.list("warnings").iter().filter_map(|warning| line(warning.as_str()?)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}
