//! The suite that is written while the search goes on, and what becomes of the one before.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use symcrete_testcase::format::testcomp::Metadata;
use symcrete_testcase::suite::{UNFINISHED, Written, encode, read_tests};
use symcrete_testcase::{Format, TestCase, Writer};

use super::{report_file, resume};
use crate::args::explore::OutputArgs;
use crate::error::Error;

pub struct Suite {
    /// Held while this run writes to the directory; nobody else does then.
    _lock: File,
    writer: Writer,
    written: usize,
    /// Numbers of tests that are not written in C or Rust, as the user wants them, because of what they do to files.
    left_out: BTreeSet<usize>,
    /// Tests of an earlier run by their contents: those that it wrote after its latest checkpoint are found again.
    known: HashMap<Vec<u8>, Written>,
}

/// What a suite may consist of, in its output directory.
const PARTS: [&str; 7] =
    [resume::FILE, "tests", "diverged", "test-suite", "corpus", "internal-errors", report_file::NAME];
const PREVIOUS: &str = "previous";

impl Suite {
    /// What is in the output directory makes room, unless that search is resumed.
    pub fn new(args: &OutputArgs, is_resumed: bool) -> Result<Suite, Error> {
        let lock = lock(&args.out)?;
        remove_unfinished(&args.out);
        if !is_resumed {
            let path = || args.out.join(PREVIOUS);
            move_previous(&args.out).map_err(|source| Error::Write { path: path(), source })?;
        }
        Ok(Suite {
            _lock: lock,
            writer: Writer::new(&args.out, &args.formats)?,
            written: 0,
            left_out: BTreeSet::new(),
            known: HashMap::new(),
        })
    }

    /// Where the format wants it.
    pub fn describe(&self, metadata: &Metadata) -> Result<(), Error> {
        Ok(self.writer.write_metadata(metadata)?)
    }

    pub fn written(&self) -> usize {
        self.written
    }

    /// The tests of a run that is resumed, by number; from now on they count as written.
    pub fn earlier(&mut self) -> Result<Vec<(usize, TestCase)>, Error> {
        let mut tests = Vec::new();
        let read = match read_tests(self.writer.folder()) {
            // It was stopped before it wrote any.
            Err(symcrete_testcase::Error::NoTests { .. }) => Vec::new(),
            read => read?,
        };
        for (path, test) in read {
            if let Some(number) = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse().ok()) {
                self.note_left_out(number, &test);
                self.known.insert(contents(&test), Written { number, path });
                tests.push((number, test));
            }
        }
        self.written += tests.len();
        Ok(tests)
    }

    /// How many tests are written without the C or Rust that was asked for.
    pub fn left_out(&self) -> usize {
        self.left_out.len()
    }

    fn note_left_out(&mut self, number: usize, test: &TestCase) {
        if self.writer.leaves_out(test) {
            self.left_out.insert(number);
        }
    }

    /// The file of a test, and whether it is a new one.
    pub fn write(&mut self, test: &TestCase) -> Result<(Written, bool), Error> {
        if !self.known.is_empty()
            && let Some(known) = self.known.get(&contents(test))
        {
            return Ok((known.clone(), false));
        }
        let written = self.writer.write(test)?;
        self.written += 1;
        self.note_left_out(written.number, test);
        Ok((written, true))
    }

    /// What replay said of a test; where it lies now, if it was set apart.
    pub fn settle(&mut self, number: usize, test: &TestCase, diverged: bool) -> Result<Option<PathBuf>, Error> {
        self.writer.rewrite(number, test)?;
        if !diverged {
            return Ok(None);
        }
        let moved = self.writer.set_apart(number)?;
        self.left_out.remove(&number);
        self.written -= 1;
        Ok(Some(moved))
    }
}

/// What makes a test another one: all but what its replay said.
fn contents(test: &TestCase) -> Vec<u8> {
    let test = TestCase { replayed: None, reason: None, ..test.clone() };
    encode(&test, Format::Json, 0)
}

/// The file that a run locks in its output directory.
const LOCK: &str = ".lock";

/// Keeps other runs out of the output directory, which is made if need be.
fn lock(out: &Path) -> Result<File, Error> {
    let path = out.join(LOCK);
    let unusable = |source| Error::OutputDirectory { path: out.to_owned(), source };
    fs::create_dir_all(out).map_err(unusable)?;
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::OutputInUse { path: out.to_owned() }),
        // Some file systems know no locks.
        Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Files that a run began to write and was killed before it gave them their names.
fn remove_unfinished(out: &Path) {
    let of_previous = PARTS.map(|part| out.join(PREVIOUS).join(part));
    for folder in [out.to_owned()].into_iter().chain(PARTS.map(|part| out.join(part))).chain(of_previous) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let is_unfinished = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        entries.filter(is_unfinished).for_each(|entry| drop(fs::remove_file(entry.path())));
    }
}

/// A suite that an earlier run left makes room; the one before that goes.
fn move_previous(out: &Path) -> std::io::Result<()> {
    let parts: Vec<&str> = PARTS.into_iter().filter(|part| is_ours(&out.join(part))).collect();
    if parts.is_empty() {
        return Ok(());
    }
    let previous = out.join(PREVIOUS);
    if previous.exists() {
        if !is_previous(&previous) {
            let why = "it holds files that Symcrete did not write; move it away, or choose another --out";
            return Err(std::io::Error::other(why));
        }
        fs::remove_dir_all(&previous)?;
    }
    fs::create_dir_all(&previous)?;
    // What names others goes first: a run that is killed here leaves nothing that names what is not there.
    parts.into_iter().try_for_each(|part| fs::rename(out.join(part), previous.join(part)))?;
    resume::log_names(out).try_for_each(|name| fs::rename(out.join(&name), previous.join(&name)))
}

/// Whether a directory holds a suite that was moved there, and nothing else.
fn is_previous(folder: &Path) -> bool {
    let logs: Vec<_> = resume::log_names(folder).collect();
    fs::read_dir(folder).is_ok_and(|entries| {
        entries.flatten().all(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            logs.iter().any(|log| *log == *name) || PARTS.contains(&&*name) && is_ours(&entry.path())
        })
    })
}

/// Whether a part of a suite was written by Symcrete and by nobody else: an output directory may be a user's own, with other tests in it.
fn is_ours(path: &Path) -> bool {
    let Ok(entries) = fs::read_dir(path) else {
        return fs::read(path).is_ok_and(|bytes| resume::is_saved(&bytes) || report_file::is_ours(&bytes));
    };
    let mut names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).peekable();
    let numbered = |name: &str| name.len() >= 6 && name.bytes().take(6).all(|byte| byte.is_ascii_digit());
    let ours = |name: String| {
        numbered(&name)
            || ["testcase-", "wrong-model-"].iter().any(|start| name.starts_with(start))
            || name == "metadata.xml"
    };
    names.peek().is_some() && names.all(ours)
}

#[cfg(test)]
mod unit_tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_suite_makes_room_and_the_tests_of_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        file("tests/000001.json", "first");
        file("corpus/a_seed_of_somebody", "");
        file("frontier", "symcrete frontier 1\n");
        move_previous(folder.path()).unwrap();
        assert_eq!(read("previous/tests/000001.json").as_deref(), Some("first"));
        assert_eq!(read("previous/frontier").as_deref(), Some("symcrete frontier 1\n"));
        assert!(!folder.path().join("tests").exists() && folder.path().join("corpus").exists());
        file("tests/000001.json", "second");
        move_previous(folder.path()).unwrap();
        assert_eq!(read("previous/tests/000001.json").as_deref(), Some("second"));
        assert_eq!(read("previous/frontier"), None);
    }
}
