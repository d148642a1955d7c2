//! The programs below tests/programs: what their comments ask for, and whether they behave so. Which of them run with which
//! flags is for the tests to say.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{bitcode, native, root, run, symcrete};

pub struct Program {
    path: PathBuf,
    /// Why the program makes no sense for 32-bit targets.
    pub only_for_64_bits: Option<String>,
    args: Vec<String>,
    flags: Vec<String>,
    native_flags: Vec<String>,
    input: String,
    status: Option<i32>,
    guilty: Option<(usize, String)>,
}

/// All programs of a folder below tests/programs, by name.
pub fn in_folder(folder: &str) -> Vec<Program> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("tests/programs").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "cpp"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no programs in {folder}");
    paths.iter().map(|path| parse(path)).collect()
}

fn parse(path: &Path) -> Program {
    let text = fs::read_to_string(path).unwrap();
    let directive = |name: &str| {
        let prefix = format!("// {name}:");
        text.lines().find_map(|line| line.strip_prefix(&prefix)).map(|rest| rest.trim().to_owned())
    };
    let words = |name: &str| -> Vec<String> {
        directive(name).map(|rest| rest.split_whitespace().map(str::to_owned).collect()).unwrap_or_default()
    };
    let guilty = text
        .lines()
        .enumerate()
        .find_map(|(number, line)| line.split_once("//~").map(|(_, words)| (number + 1, words.trim().to_owned())));
    Program {
        path: path.to_owned(),
        only_for_64_bits: directive("64-bit"),
        args: words("args"),
        flags: words("flags"),
        native_flags: words("native"),
        input: directive("input").unwrap_or_default().replace("\\n", "\n"),
        status: directive("status").and_then(|status| status.parse().ok()),
        guilty,
    }
}

impl Program {
    /// Whether the program does what its comments say, compiled at these levels of optimisation and with these flags.
    pub fn check(&self, levels: &[&str], compiler_flags: &[&str]) -> Result<(), String> {
        match &self.guilty {
            Some((line, words)) => self.is_guilty(*line, words, compiler_flags),
            None => levels.iter().try_for_each(|level| self.agrees(level, compiler_flags)),
        }
    }

    fn is_guilty(&self, line: usize, words: &str, compiler_flags: &[&str]) -> Result<(), String> {
        let mut command = symcrete();
        command.arg("run").args(&self.flags).args(compiler_flags.iter().map(|flag| format!("--cflag={flag}")));
        command.arg(&self.path).arg("--").args(&self.args);
        let shown = run(&mut command, self.input.as_bytes());
        let file = self.path.file_name().unwrap().to_string_lossy();
        let place = format!("{file}:{line}:");
        let expected = self.status.unwrap_or(1);
        if shown.status != expected || !shown.stderr.contains(words) || !shown.stderr.contains(&place) {
            let name = self.path.display();
            return Err(format!("{name}: wanted status {expected}, `{words}` and `{place}`, got {shown:#?}"));
        }
        Ok(())
    }

    fn agrees(&self, level: &str, compiler_flags: &[&str]) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let mut flags = vec![level];
        flags.extend(compiler_flags);
        flags.extend(self.native_flags.iter().map(String::as_str));
        let sources = [self.path.clone()];
        let expected =
            run(Command::new(native(folder.path(), &flags, &sources)).args(&self.args), self.input.as_bytes());
        if level == "-O0" {
            flags.extend(["-Xclang", "-disable-O0-optnone"]);
        }
        let mut command = symcrete();
        command.arg("run").args(&self.flags).args(bitcode(folder.path(), &flags, &sources));
        command.arg("--").args(&self.args);
        let shown = run(&mut command, self.input.as_bytes());
        if shown.stdout != expected.stdout || shown.status != expected.status || shown.stderr != expected.stderr {
            let name = self.path.display();
            return Err(format!("{name} at {level}: natively {expected:#?}\nin symcrete {shown:#?}"));
        }
        Ok(())
    }
}

/// Checks programs one after another and fails with what they did wrong.
pub fn check_all(programs: &[Program], levels: &[&str], compiler_flags: &[&str]) {
    let failures: Vec<String> =
        programs.iter().filter_map(|program| program.check(levels, compiler_flags).err()).collect();
    assert!(failures.is_empty(), "{} of {} failed:\n{}", failures.len(), programs.len(), failures.join("\n"));
}
