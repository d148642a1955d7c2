//! A directory of tests: written one by one, each file whole or not at all; read from directories and files of every
//! format.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::format::testcomp::Metadata;
use crate::format::{Format, corpus, json, ktest, testcomp, unit_c, unit_rust, zip};
use crate::test::TestCase;

/// Where tests go that the native program contradicts.
const APART: &str = "diverged";
/// How the names of files begin that are being written.
pub const UNFINISHED: &str = ".writing-";

/// Writes the tests of a suite: `tests/000001.json`, and beside it what other formats were asked for. The numbers go on
/// where an earlier run stopped.
pub struct Writer {
    folder: PathBuf,
    formats: Vec<Format>,
    next: usize,
}

/// The files that one test became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub number: usize,
    /// The JSON file.
    pub path: PathBuf,
}

impl Writer {
    /// `folder` is the output directory; the tests go to `tests` inside it. JSON is always written.
    pub fn new(folder: &Path, formats: &[Format]) -> Result<Writer, Error> {
        let folder = folder.join("tests");
        fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
        // A test that was set apart keeps its number.
        let last = last_number(&folder)?.max(last_number(&folder.with_file_name(APART))?);
        // Finding out now that nothing can be written beats finding out after the first hour.
        let probe = tempfile::Builder::new().prefix(".probe-").tempfile_in(&folder);
        probe.map_err(Error::write(&folder))?;
        let mut formats: Vec<_> = formats.iter().copied().chain([Format::Json]).collect();
        formats.sort_unstable();
        formats.dedup();
        let writer = Writer { folder, formats, next: last + 1 };
        for format in &writer.formats {
            let folder = writer.folder_of(*format);
            fs::create_dir_all(&folder).map_err(Error::write(&folder))?;
        }
        Ok(writer)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn write(&mut self, test: &TestCase) -> Result<Written, Error> {
        let number = self.next;
        // JSON last: its number counts only when everything else is there.
        for &format in self.formats.iter().rev().filter(|format| is_fit(test, **format)) {
            let path = self.path(format, number);
            let bytes = encode(test, format, number);
            write_whole(&path, &bytes)?;
        }
        self.next += 1;
        Ok(Written { number, path: self.path(Format::Json, number) })
    }

    /// Whether the suite was asked for this test in a format that it must not have.
    pub fn leaves_out(&self, test: &TestCase) -> bool {
        self.formats.iter().any(|format| !is_fit(test, *format))
    }

    /// Writes the JSON of a test again: its replay is known now.
    pub fn rewrite(&self, number: usize, test: &TestCase) -> Result<(), Error> {
        write_whole(&self.path(Format::Json, number), &json::to_bytes(test))
    }

    /// Moves a test that diverged out of the suite, to `diverged` beside `tests`; its number is not used again. Where its JSON is now.
    pub fn set_apart(&self, number: usize) -> Result<PathBuf, Error> {
        let apart = self.folder.with_file_name(APART);
        fs::create_dir_all(&apart).map_err(Error::write(&apart))?;
        let place = |path: &Path| apart.join(path.file_name().unwrap_or_default());
        for &format in self.formats.iter().rev() {
            let from = self.path(format, number);
            if format != Format::Json && !from.exists() {
                continue;
            }
            fs::rename(&from, place(&from)).map_err(Error::write(&place(&from)))?;
        }
        Ok(place(&self.path(Format::Json, number)))
    }

    /// The suite's `metadata.xml`, where the format of Test-Comp was asked for.
    pub fn write_metadata(&self, metadata: &Metadata) -> Result<(), Error> {
        if !self.formats.contains(&Format::Testcomp) {
            return Ok(());
        }
        let folder = self.folder_of(Format::Testcomp);
        write_whole(&folder.join("metadata.xml"), &testcomp::metadata_to_bytes(metadata))
    }

    /// Formats that other tools take as directories of their own get one: `test-suite` and `corpus`.
    fn folder_of(&self, format: Format) -> PathBuf {
        match format {
            Format::Json | Format::Ktest | Format::C | Format::Rust => self.folder.clone(),
            Format::Testcomp => self.folder.with_file_name("test-suite"),
            Format::Corpus => self.folder.with_file_name("corpus"),
        }
    }

    fn path(&self, format: Format, number: usize) -> PathBuf {
        let name = match format {
            Format::Json => format!("{number:06}.json"),
            Format::Ktest => format!("{number:06}.ktest"),
            Format::C => format!("{number:06}.c"),
            Format::Rust => format!("{number:06}.rs"),
            Format::Testcomp => format!("testcase-{number}.xml"),
            Format::Corpus => format!("{number:06}"),
        };
        self.folder_of(format).join(name)
    }
}

/// Whether a test may be written in a format. What is compiled and run by anybody must not reach for files of theirs.
fn is_fit(test: &TestCase, format: Format) -> bool {
    test.only_in_sandbox.is_none() || !matches!(format, Format::C | Format::Rust)
}

/// The highest number of a test in a directory; 0 without any.
fn last_number(folder: &Path) -> Result<usize, Error> {
    if !folder.is_dir() {
        return Ok(0);
    }
    let files = names(folder)?.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    let numbers = files.filter_map(|file| file.file_stem()?.to_str()?.parse().ok());
    Ok(numbers.max().unwrap_or(0))
}

/// One test in one format. The number names the functions of unit tests.
pub fn encode(test: &TestCase, format: Format, number: usize) -> Vec<u8> {
    match format {
        Format::Json => json::to_bytes(test),
        Format::Ktest => ktest::to_bytes(test),
        Format::Testcomp => testcomp::to_bytes(test),
        Format::Corpus => corpus::to_bytes(test),
        Format::C => unit_c::to_bytes(test, number),
        Format::Rust => unit_rust::to_bytes(test, number),
    }
}

/// Writes beside the place and renames: whoever looks sees the whole file or none, also after the process was killed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_beside(path, bytes, false)
}

/// The same, and what is seen is on the disk, also after the machine went down.
pub fn write_durably(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_beside(path, bytes, true)
}

fn write_beside(path: &Path, bytes: &[u8], syncs: bool) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder).map_err(Error::write(path))?;
    file.write_all(bytes).map_err(Error::write(path))?;
    // Temporary files are private; tests are not.
    let readable = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(readable).map_err(Error::write(path))?;
    if syncs {
        file.as_file().sync_data().map_err(Error::write(path))?;
    }
    file.persist(path).map_err(|error| Error::write(path)(error.error))?;
    Ok(())
}

/// The tests that a path holds, with the file of each: a file of any format, a zip file, or a directory of files, in the
/// order of names.
///
/// In a directory, a test that stands there in several formats (the same name, other endings) is read once, from its
/// JSON. Files without an ending that other formats use are the inputs of a fuzzer, unless the directory has tests of
/// another format.
pub fn read_tests(path: &Path) -> Result<Vec<(PathBuf, TestCase)>, Error> {
    let tests = if path.is_dir() { read_folder(path)? } else { read_file(path)? };
    match tests.is_empty() {
        true => Err(Error::NoTests { path: path.to_owned() }),
        false => Ok(tests),
    }
}

fn read_folder(path: &Path) -> Result<Vec<(PathBuf, TestCase)>, Error> {
    // An output directory of Symcrete: the suite is inside.
    let inner = path.join("tests");
    let folder = if inner.is_dir() { inner } else { path.to_owned() };
    let mut tests = Vec::new();
    for file in of_one_format(names(&folder)?) {
        tests.extend(read_file(&file)?);
    }
    Ok(tests)
}

/// Those files that hold the tests, each in one format.
fn of_one_format(files: Vec<PathBuf>) -> Vec<PathBuf> {
    let wanted = ["json", "ktest", "xml"].into_iter().find(|wanted| files.iter().any(|file| ending(file) == *wanted));
    files.into_iter().filter(|file| wanted.is_none_or(|wanted| ending(file) == wanted)).collect()
}

fn ending(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

fn read_file(path: &Path) -> Result<Vec<(PathBuf, TestCase)>, Error> {
    let bytes = fs::read(path).map_err(Error::read(path))?;
    let named = |path: &Path, tests: Vec<TestCase>| tests.into_iter().map(|test| (path.to_owned(), test)).collect();
    if ending(path) != "zip" || !zip::is_zip(&bytes) {
        return Ok(named(path, decode(&bytes, path)?));
    }
    let mut members: Vec<(PathBuf, Vec<u8>)> = zip::members(&bytes, path)?
        .into_iter()
        .map(|member| (path.join(member.name.trim_start_matches('/')), member.bytes))
        .collect();
    members.sort_by_key(|(name, _)| order(name));
    let kept = of_one_format(members.iter().map(|(name, _)| name.clone()).collect());
    let mut tests: Vec<(PathBuf, TestCase)> = Vec::new();
    for (name, bytes) in members.iter().filter(|(name, _)| kept.contains(name)) {
        tests.extend::<Vec<_>>(named(name, decode(bytes, name)?));
    }
    Ok(tests)
}

/// The tests of one file, by what it begins with rather than by its name.
fn decode(bytes: &[u8], path: &Path) -> Result<Vec<TestCase>, Error> {
    match ending(path) {
        "json" => json::from_bytes(bytes, path),
        "xml" => Ok(testcomp::from_bytes(bytes, path)?.into_iter().collect()),
        ending if ending == "ktest" || ktest::is_ktest(bytes) => Ok(vec![ktest::from_bytes(bytes, path)?]),
        _ => Ok(vec![corpus::from_bytes(bytes)]),
    }
}

/// The files of a directory in the order of their names; what is hidden stays hidden.
fn names(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::read(folder))? {
        let path = entry.map_err(Error::read(folder))?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if path.is_file() && !is_hidden {
            files.push(path);
        }
    }
    files.sort_by_key(|path| order(path));
    Ok(files)
}

/// `testcase-2` before `testcase-10`.
fn order(path: &Path) -> (String, u64, String) {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let start = name.find(|character: char| character.is_ascii_digit()).unwrap_or(name.len());
    let digits: String = name[start..].chars().take_while(char::is_ascii_digit).collect();
    (name[..start].to_owned(), digits.parse().unwrap_or(0), name)
}
