//! Native replay: the real program, compiled once, runs each test and is compared with what the test claims. Its
//! coverage is counted.

pub mod build;
mod compile;
pub mod coverage;
mod driver;
mod end;
pub mod environment;
mod execution;
mod flags;
mod inputs;
mod module_text;
mod profiles;
mod sandboxes;
pub mod sanitizer;
pub mod tools;
mod verdict;

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

pub use build::{Build, Entry, Function, Limits, Parameter, Source};
pub use coverage::{Coverage, FileCoverage, Tally};
pub use end::NativeEnd;
pub use verdict::Outcome;

use build::Language;
use compile::{Built, Purpose};
use execution::{Left, Watch};
use profiles::Profiles;
use sandboxes::Sandboxes;
use symcrete_sandbox::{Done, Sandbox};
use tools::{Compiler, Counter};
use verdict::{Judgement, Observed};

use crate::error::Error;
use crate::test::{EntryKind, Origin, TestCase};

/// A program that was compiled for replay.
pub struct Replayer {
    build: Build,
    compiler: Compiler,
    built: Built,
    profiles: Profiles,
    /// Made when the first finding needs it.
    sanitized: OnceLock<Result<Built, String>>,
    sandboxes: Sandboxes,
    /// Held by runs that add to the same files of counters.
    adding: Mutex<()>,
    /// Everything that is built and counted; removed with the replayer.
    home: tempfile::TempDir,
}

/// One test, replayed.
#[derive(Clone, Debug)]
pub struct Replayed {
    pub outcome: Outcome,
    /// What the program did, in a few words; empty if it could not be asked.
    pub did: String,
    /// How the process ended; `None` if there was none.
    pub end: Option<NativeEnd>,
    /// The beginning of what it wrote.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
    /// Whether the line that the test was made for was executed, where that is known.
    pub reached: Option<bool>,
    /// What the sanitizers said, where they were asked.
    pub sanitizers: Vec<sanitizer::Report>,
}

impl Replayed {
    fn not(reason: impl Into<String>) -> Replayed {
        Replayed {
            outcome: Outcome::not_replayed(reason),
            did: String::new(),
            end: None,
            stdout: Vec::new(),
            stderr: Vec::new(),
            time: Duration::ZERO,
            reached: None,
            sanitizers: Vec::new(),
        }
    }
}

const INTERRUPTED: &str = "the replay was interrupted";

impl Replayer {
    /// Compiles the program with the driver, and with counters where tools for them are there.
    pub fn new(mut build: Build) -> Result<Replayer, Error> {
        let policy = build.sandbox.clone().map_err(Error::NoSandbox)?.in_folder(build.scratch.clone());
        make_absolute(&mut build)?;
        let mut maker = tempfile::Builder::new();
        maker.prefix("symcrete-replay-");
        let home = match &build.scratch {
            Some(folder) => maker.tempdir_in(folder),
            None => maker.tempdir(),
        };
        let home = home.map_err(Error::write(
            build.scratch.as_deref().unwrap_or(Path::new("the directory for temporary files")),
        ))?;
        // Programs run as another user where this one is root.
        fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).map_err(Error::write(home.path()))?;
        let sandboxes = Sandboxes::new(policy, home.path(), &build.shared);
        let compiler = Compiler::ask(&build.clang, &build.search_path);
        let missing = || Error::Start { path: build.clang.clone(), source: io::ErrorKind::NotFound.into() };
        let compiler = able_compiler(compiler.ok_or_else(missing)?, &build)?;
        let mut counter = choose_counter(&build, &compiler);
        let folder = home.path().join("counted");
        let mut built = compile::build(&build, &compiler, &Purpose::Count(counter.clone()), &folder);
        if let Err(Error::Compile { output, .. }) = &built
            && let Some(missing) = tools::missing_library(output, &compiler)
        {
            counter = Counter::None(missing);
            built = compile::build(&build, &compiler, &Purpose::Count(counter.clone()), &folder);
        }
        let built = built?;
        let profile_folder = home.path().join("profiles");
        fs::create_dir_all(&profile_folder).map_err(Error::write(&profile_folder))?;
        let profiles = Profiles::new(counter, built.executable.clone(), built.gcov_counters.clone(), profile_folder);
        let sanitized = OnceLock::new();
        Ok(Replayer { build, compiler, built, profiles, sanitized, sandboxes, adding: Mutex::new(()), home })
    }

    /// Runs one test. May be called from several threads at once.
    pub fn run(&self, test: &TestCase) -> Replayed {
        if self.build.stop.load(Ordering::Relaxed) {
            return Replayed::not(INTERRUPTED);
        }
        if let Some(reason) = self.trouble(test) {
            return Replayed::not(reason);
        }
        self.replay(test).unwrap_or_else(|error| match error.kind() {
            io::ErrorKind::Interrupted => Replayed::not(INTERRUPTED),
            _ => Replayed::not(format!("it could not be run: {error}")),
        })
    }

    /// Runs many tests, `jobs` at a time. The results are in the order of the tests.
    pub fn run_all(&self, tests: &[TestCase], jobs: usize) -> Vec<Replayed> {
        self.run_all_telling(tests, jobs, &|_| ())
    }

    /// The same, telling after each test how many are done.
    pub fn run_all_telling(&self, tests: &[TestCase], jobs: usize, tell: &(dyn Fn(usize) + Sync)) -> Vec<Replayed> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let results = Mutex::new(tests.iter().map(|_| None).collect::<Vec<Option<Replayed>>>());
        std::thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, tests.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(test) = tests.get(index) else { break };
                        let replayed = self.run(test);
                        if let Ok(mut results) = results.lock() {
                            results[index] = Some(replayed);
                        }
                        tell(done.fetch_add(1, Ordering::Relaxed) + 1);
                    }
                });
            }
        });
        let results = results.into_inner().unwrap_or_default();
        results.into_iter().map(|result| result.unwrap_or_else(|| Replayed::not(INTERRUPTED))).collect()
    }

    /// What all runs so far covered of the user's files, or why that is not known.
    pub fn coverage(&self) -> Result<Coverage, String> {
        let mut coverage = self.profiles.coverage()?;
        coverage.files.retain(|file| self.is_of_user(&file.path));
        Ok(coverage)
    }

    fn is_of_user(&self, path: &Path) -> bool {
        let is_source = self.build.sources.iter().any(|source| source.path == path);
        let text = path.to_string_lossy();
        let is_foreign = path.starts_with("/usr")
            || path.starts_with("/rustc")
            || text.contains("/rustlib/")
            || text.contains("/.cargo/registry/");
        is_source || !is_foreign && !path.starts_with(self.home.path())
    }

    /// Why a test cannot be run on this program at all.
    fn trouble(&self, test: &TestCase) -> Option<String> {
        let functions = match (&self.build.entry, test.kind) {
            (Entry::Program, EntryKind::Program) | (Entry::Fuzzer, EntryKind::Fuzzer) => &[],
            (Entry::Functions { functions, .. }, EntryKind::Function) => functions.as_slice(),
            (Entry::Fuzzer, _) => return Some("it is no test of LLVMFuzzerTestOneInput".to_owned()),
            (Entry::Program, _) => {
                return Some(format!("it calls {}, and the program was built to run from main", test.entry));
            }
            (Entry::Functions { .. }, _) => {
                return Some("it is a test of a whole program, not of a function".to_owned());
            }
        };
        for call in test.all_calls().iter().filter(|_| test.kind == EntryKind::Function) {
            if let Some(reason) = self.built.uncallable.get(&call.function) {
                return Some(reason.clone());
            }
            let Some(function) = functions.iter().find(|function| function.name == call.function) else {
                return Some(format!("the driver was built without {}", call.function));
            };
            if function.parameters.len() != call.inputs.len() {
                return Some(format!(
                    "{} has {} parameters, and the test {}",
                    call.function,
                    function.parameters.len(),
                    call.inputs.len()
                ));
            }
        }
        let of_calls = test.calls.iter().flat_map(|call| &call.inputs);
        let mut given = test.inputs.iter().filter(|input| input.from != Origin::Call).chain(of_calls);
        let without_bytes = given.find(|input| input.known_bytes().is_none());
        if let Some(input) = without_bytes {
            return Some(format!("the value of {} cannot be converted to its type", input.name));
        }
        let is_inside = |name: &str| {
            !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
        };
        let outside = test.files.iter().find(|file| !is_inside(&file.name));
        outside.map(|file| format!("the file {} would lie outside of the scratch directory", file.name))
    }

    fn replay(&self, test: &TestCase) -> io::Result<Replayed> {
        let scratch = tempfile::Builder::new().prefix("run-").tempdir_in(self.home.path())?;
        let by_gcov = !self.built.gcov_counters.is_empty();
        let adding = by_gcov.then(|| self.adding.lock());
        let watch = Watch::Counters { gcov: by_gcov.then(|| self.profiles.counter_files()) };
        let (done, seen, left) = self.execute(test, scratch.path(), &self.built.executable, &watch)?;
        drop(adding);
        let raw = left.raw;
        let reached = test.reaches.as_ref().and_then(|place| {
            let coverage = self.profiles.coverage_of(&raw, scratch.path())?;
            Some(coverage.count(&place.file, place.line)? > 0)
        });
        let mut sanitizers = Vec::new();
        let mut outcome = match verdict::judge(&test.ends, &seen) {
            Judgement::Done(outcome) => outcome,
            Judgement::AskSanitizers => {
                let is_executed = || {
                    let count = self.profiles.coverage_of(&raw, scratch.path())?;
                    Some(count.count(test.ends.file.as_deref()?, test.ends.line?)? > 0)
                };
                let (outcome, reports) = self.ask_sanitizers(
                    test,
                    &seen,
                    verdict::is_usual_signal(&test.ends, &seen).then(is_executed).flatten(),
                )?;
                sanitizers = reports;
                outcome
            }
        };
        self.profiles.add(&raw);
        if let (Some(false), Some(place)) = (reached, &test.reaches) {
            let expected = format!("reaches {}:{}", place.file, place.line);
            outcome = Outcome::Diverged { expected, got: format!("the line is not executed; {}", seen.words()) };
        }
        let end = Some(seen.end);
        let did = match (&outcome, sanitizers.first()) {
            (Outcome::Confirmed, Some(report)) => report.to_string(),
            _ => seen.words(),
        };
        Ok(Replayed {
            outcome,
            did,
            end,
            stdout: done.stdout,
            stderr: done.stderr,
            time: Duration::from_micros(done.microseconds),
            reached,
            sanitizers,
        })
    }

    fn ask_sanitizers(
        &self,
        test: &TestCase,
        plain: &Observed,
        is_executed: Option<bool>,
    ) -> io::Result<(Outcome, Vec<sanitizer::Report>)> {
        let built = self.sanitized.get_or_init(|| {
            let folder = self.home.path().join("sanitized");
            compile::build(&self.build, &self.compiler, &Purpose::Sanitize, &folder).map_err(|error| {
                let missing = error.output().and_then(|output| tools::missing_library(output, &self.compiler));
                missing.unwrap_or_else(|| error.in_one_line())
            })
        });
        let built = match built {
            Ok(built) => built,
            Err(reason) => {
                if let Some(outcome) = verdict::judge_by_signal(&test.ends, plain, is_executed) {
                    return Ok((outcome, Vec::new()));
                }
                let reason =
                    format!("native code may survive it, and the program cannot be built with sanitizers: {reason}");
                return Ok((Outcome::not_replayed(reason), Vec::new()));
            }
        };
        let scratch = tempfile::Builder::new().prefix("run-").tempdir_in(self.home.path())?;
        let symbolizer =
            tools::llvm_tool("llvm-symbolizer", &self.compiler.path, self.compiler.major, &self.build.search_path);
        let watch = Watch::Sanitizers { leaks: test.ends.kind == "leak", symbolizer };
        let (_, mut seen, left) = self.execute(test, scratch.path(), &built.executable, &watch)?;
        seen.sanitizers = sanitizer::parse(&(left.logs + &seen.stderr));
        let outcome =
            verdict::judge_sanitized(&test.ends, plain, &seen, self.build.has(Language::Bitcode), is_executed);
        Ok((outcome, seen.sanitizers))
    }

    /// Runs an executable on a test in a sandbox. Files that are left go to `scratch`.
    fn execute(
        &self,
        test: &TestCase,
        scratch: &Path,
        executable: &Path,
        watch: &Watch,
    ) -> io::Result<(Done, Observed, Left)> {
        let program = self.sandboxes.inside(executable);
        let job = |sandbox: &Sandbox| execution::job(&self.build, test, program, watch, sandbox);
        let mut done = self.sandboxes.run(job, &self.build.stop)?;
        let left = Left::read(&mut done, scratch, self.home.path())?;
        let stderr = String::from_utf8_lossy(&done.stderr).into_owned();
        let report = left.report.lines().map(split_word).collect();
        let seen = Observed { end: NativeEnd::from(&done), stderr, report, sanitizers: Vec::new() };
        Ok((done, seen, left))
    }
}

fn split_word(line: &str) -> (String, String) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    (word.to_owned(), rest.to_owned())
}

/// A compiler that can read all files of the program.
fn able_compiler(compiler: Compiler, build: &Build) -> Result<Compiler, Error> {
    let written = build.sources.iter().filter_map(|source| Some((source.llvm?, &source.path)));
    match written.max_by_key(|(version, _)| *version) {
        None => Ok(compiler),
        Some((version, path)) => {
            tools::able_to_read(compiler, version, path, &build.search_path).map_err(Error::NotBuildable)
        }
    }
}

/// The clang to read a file with that this version of LLVM wrote: the given one, or a newer one on the path.
pub fn clang_for(clang: &Path, written_by: u32, file: &Path, search_path: &[PathBuf]) -> Result<PathBuf, Error> {
    match Compiler::ask(clang, search_path) {
        Some(given) => {
            let able = tools::able_to_read(given, written_by, file, search_path);
            able.map(|compiler| compiler.path).map_err(Error::NotBuildable)
        }
        None => Ok(clang.to_owned()),
    }
}

fn choose_counter(build: &Build, compiler: &Compiler) -> Counter {
    if !build.coverage {
        return Counter::None("coverage was not asked for".to_owned());
    }
    if !build.has(Language::Rust) {
        return match tools::counter(compiler, &build.search_path) {
            // Regions of source are known to those who compile it; of bitcode only lines are.
            Counter::Llvm { cov, .. } if build.by_line || !build.has(Language::C) && !build.has(Language::Cpp) => {
                Counter::LlvmGcov { cov }
            }
            counter => counter,
        };
    }
    let Some((major, home)) = tools::rustc_llvm(&build.rustc) else {
        return Counter::None(format!("{} does not say what LLVM it has", build.rustc.display()));
    };
    let tool = |name: &str| {
        let own = home.with_file_name(name);
        if own.is_file() { Some(own) } else { tools::llvm_tool(name, &home, major, &build.search_path) }
    };
    match (tool("llvm-profdata"), tool("llvm-cov")) {
        (Some(profdata), Some(cov)) => Counter::Llvm { profdata, cov },
        _ => Counter::None(format!("{}, nor rustup's component llvm-tools", tools::missing(major))),
    }
}

/// The compiler may be started elsewhere, and the generated driver lies elsewhere.
fn make_absolute(build: &mut Build) -> Result<(), Error> {
    let absolute = |path: &Path| std::path::absolute(path).map_err(Error::read(path));
    for source in &mut build.sources {
        source.path = absolute(&source.path)?;
        fs::metadata(&source.path).map_err(Error::read(&source.path))?;
    }
    if let Entry::Functions { functions, .. } = &mut build.entry {
        for source in functions.iter_mut().filter_map(|function| function.source.as_mut()) {
            *source = absolute(source)?;
        }
    }
    Ok(())
}
