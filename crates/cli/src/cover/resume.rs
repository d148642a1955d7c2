//! A search that was stopped or killed, in its output directory: one file says whose search it is, what it had found and how far it was, and names
//! the logs in which its workers wrote down what was pending (`symcrete_explore::journal`). It is replaced as a whole, after all that it names.

use std::ffi::OsString;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use symcrete_explore::aside::Aside;
use symcrete_explore::journal::{Log, parse_name};
use symcrete_explore::saved::Saved;
use symcrete_explore::workers::Summary;
use symcrete_ir::Program;
use symcrete_ir::print::Printer;
use symcrete_testcase::Finding;
use symcrete_testcase::suite::{write_durably, write_whole};

use super::findings::Unconfirmed;
use super::setup::{ConcretisedCall, LimitPlace};
use crate::args::CoverArgs;
use crate::error::Error;

pub const FILE: &str = "frontier";
const FIRST_LINE: &[u8] = b"symcrete frontier 2\n";
const ANY_FIRST_LINE: &[u8] = b"symcrete frontier ";

/// What is known of a search beside its paths.
#[derive(Clone, Serialize, Deserialize)]
pub struct Header {
    version: String,
    /// Of the program and all flags that decide what its paths are.
    fingerprint: u64,
    directory: PathBuf,
    command: Vec<String>,
    pub findings: Vec<Finding>,
    #[serde(default)]
    pub unconfirmed: Vec<Unconfirmed>,
    pub warnings: Vec<String>,
    pub limits: Vec<(LimitPlace, u64)>,
    #[serde(default)]
    pub concretised: Vec<(ConcretisedCall, u64)>,
    #[serde(default)]
    pub assumed: Vec<String>,
}

/// A file that was read, but not yet compared with the program.
pub struct Stopped {
    path: PathBuf,
    pub header: Header,
    paths: Vec<u8>,
}

/// Two programs with the same number have the same paths, as far as decision strings can tell.
pub fn fingerprint(program: &Program, flags: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    Printer::new(program).program().to_string().hash(&mut hasher);
    flags.hash(&mut hasher);
    hasher.finish()
}

/// Writes a checkpoint, and all that it names before it.
pub fn save(out: &Path, saved: &Saved, header: &Header) -> Result<(), Error> {
    let path = out.join(FILE);
    for log in &saved.logs {
        // Whatever happens to the machine, the file never names what is not on the disk.
        let path = out.join(&log.name);
        let synced = File::open(&path).and_then(|file| file.sync_data());
        synced.map_err(|source| Error::Write { path, source })?;
    }
    write_durably(&path, &to_bytes(saved, header)?)?;
    let _ = File::open(out).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Writes what a search goes on from that is killed before its first checkpoint: its beginning.
pub fn save_beginning(out: &Path, header: &Header) -> Result<(), Error> {
    // The first root, and no decision.
    let beginning = Aside { decisions: vec![0], model: Vec::new(), depth: 0 };
    let saved = Saved { frontier: vec![beginning], ..Saved::default() };
    Ok(write_whole(&out.join(FILE), &to_bytes(&saved, header)?)?)
}

fn to_bytes(saved: &Saved, header: &Header) -> Result<Vec<u8>, Error> {
    let header = serde_json::to_vec(header).map_err(|error| Error::Internal(error.to_string()))?;
    Ok([FIRST_LINE, &header, b"\n", &saved.to_bytes()].concat())
}

/// Writes what is left of a search when it is over, though that may be nothing: a run that is killed in its replay goes on there. Whether there is
/// something to go on with.
pub fn save_end(out: &Path, summary: &Summary, header: &Header) -> Result<bool, Error> {
    // A worker that broke down took its paths with it: the latest checkpoint has them.
    if !summary.failures.is_empty() {
        return Ok(out.join(FILE).exists());
    }
    let saved = summary.saved();
    let is_open = summary.pending > 0 || !saved.undecided.is_empty();
    match is_open {
        true => save(out, &saved, header)?,
        false => write_whole(&out.join(FILE), &to_bytes(&saved, header)?)?,
    }
    remove_logs(out, &saved.logs);
    Ok(is_open)
}

/// All was said of a search that nothing is left of.
pub fn remove(out: &Path) {
    let _ = std::fs::remove_file(out.join(FILE));
    remove_logs(out, &[]);
}

/// Removes logs that are not among those to be kept.
pub fn remove_logs(out: &Path, keep: &[Log]) {
    for name in log_names(out).filter(|name| keep.iter().all(|log| log.name != *name)) {
        let _ = std::fs::remove_file(out.join(name));
    }
}

/// The logs in an output directory, whoever left them.
pub fn log_names(out: &Path) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir(out).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| parse_name(name).is_some())
}

/// A number for logs that none of those has that are there.
pub fn next_log(out: &Path) -> u32 {
    let numbers = log_names(out).filter_map(|name| parse_name(&name)).map(|(_, number)| number);
    numbers.max().map_or(0, |number| number + 1)
}

/// Whether a file is a search that was stopped.
pub fn is_saved(bytes: &[u8]) -> bool {
    bytes.starts_with(ANY_FIRST_LINE)
}

impl Header {
    pub fn new(fingerprint: u64) -> Header {
        Header {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            fingerprint,
            directory: std::env::current_dir().unwrap_or_default(),
            command: std::env::args().skip(1).collect(),
            findings: Vec::new(),
            unconfirmed: Vec::new(),
            warnings: Vec::new(),
            limits: Vec::new(),
            concretised: Vec::new(),
            assumed: Vec::new(),
        }
    }

    /// The command of the run that was stopped stays the command of the search, however often it is resumed.
    pub fn with_command_of(mut self, earlier: Option<&Header>) -> Header {
        if let Some(earlier) = earlier {
            (self.directory, self.command) = (earlier.directory.clone(), earlier.command.clone());
        }
        self
    }
}

impl Stopped {
    pub fn open(folder: &Path) -> Result<Stopped, Error> {
        let path = folder.join(FILE);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::Usage(format!(
                    "there is nothing to go on with in {}: the search there came to its end, was one of `reach` or of --mode lazy, which \
                     always begin anew, or was never begun",
                    folder.display()
                )));
            }
            Err(source) => return Err(Error::Read { path, source }),
        };
        let parsed = (|| {
            let rest = bytes.strip_prefix(FIRST_LINE)?;
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let header: Header = serde_json::from_slice(&rest[..end]).ok()?;
            Some((header, rest[end + 1..].to_vec()))
        })();
        let Some((header, paths)) = parsed else { return Err(damaged(&path)) };
        // The working directory becomes that of the earlier run.
        let path = std::path::absolute(&path).unwrap_or(path);
        Ok(Stopped { path, header, paths })
    }

    /// The paths, if they are those of this program.
    pub fn paths(&self, program: &Program, fingerprint: u64) -> Result<Saved, Error> {
        if (&*self.header.version, self.header.fingerprint) != (env!("CARGO_PKG_VERSION"), fingerprint) {
            return Err(Error::Usage(format!(
                "{} is of another program, or of other flags or another version of Symcrete: what changes the paths of a program must not \
                 change between a run and its resumption; begin anew without --resume",
                self.path.display()
            )));
        }
        let saved = Saved::from_bytes(&self.paths, program).ok_or_else(|| damaged(&self.path))?;
        for log in &saved.logs {
            let path = self.path.with_file_name(&log.name);
            if std::fs::metadata(&path).map_or(0, |file| file.len()) < log.length {
                return Err(damaged(&path));
            }
        }
        Ok(saved)
    }

    /// What was typed then and what is typed now, as one command. A program that is named now is the only one.
    pub fn arguments(&self, now: &CoverArgs) -> Result<Vec<OsString>, Error> {
        let folder = now.suite.resume.clone().unwrap_or_default();
        let folder = folder.canonicalize().map_err(|source| Error::Read { path: folder, source })?;
        let typed: Vec<OsString> = std::env::args_os().collect();
        let mut words: Vec<OsString> = Vec::new();
        if !now.common.files.is_empty() {
            words.extend(typed);
        } else {
            std::env::set_current_dir(&self.header.directory)
                .map_err(|source| Error::Read { path: self.header.directory.clone(), source })?;
            let then = &self.header.command;
            let end = then.iter().position(|word| word == "--").unwrap_or(then.len());
            words.extend(typed.first().cloned());
            words.extend(without_limits(&then[..end]).into_iter().map(OsString::from));
            words.extend(typed.into_iter().skip(2).take_while(|word| word != "--"));
            words.extend(then[end..].iter().map(OsString::from));
        }
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let folder = [OsString::from("--resume"), folder.clone().into(), OsString::from("--out"), folder.into()];
        words.splice(end..end, folder);
        Ok(words)
    }
}

/// Limits on a whole run were for that run.
fn without_limits(words: &[String]) -> Vec<String> {
    const LIMITS: [&str; 3] = ["--time", "--budget-steps", "--max-paths"];
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if LIMITS.contains(&word.as_str()) {
            words.next();
        } else if !LIMITS.iter().any(|limit| word.starts_with(&format!("{limit}="))) {
            kept.push(word.clone());
        }
    }
    kept
}

fn damaged(path: &Path) -> Error {
    Error::Usage(format!("{} is damaged; begin anew without --resume", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_the_run_before_are_forgotten() {
        let words = ["cover", "--time", "5", "a.c", "--max-paths=3", "--memory", "64"].map(String::from);
        assert_eq!(without_limits(&words), ["cover", "a.c", "--memory", "64"]);
    }
}
