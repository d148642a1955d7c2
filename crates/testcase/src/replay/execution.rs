//! One native execution of a test: what the process is given, and what is read of what it leaves.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use symcrete_sandbox::{Done, File, Job, Limits, Place, Sandbox};

use super::build::Build;
use super::environment;
use super::flags;
use super::inputs;
use crate::test::TestCase;

/// How long a test runs that claims no end.
const MOMENT: Duration = Duration::from_secs(1);
/// A sanitized program is slower than a plain one.
const SANITIZERS_TAKE: u32 = 4;
/// What a process that was asked to end gets for saving its coverage.
const GRACE: Duration = Duration::from_secs(2);
/// Threads count, too.
const MOST_PROCESSES: u64 = 256;
const MOST_OPEN_FILES: u64 = 1024;

/// What watches over the execution.
pub enum Watch {
    /// Counters of coverage.
    Counters {
        /// If gcov counts: the files that it reads and programs add to, as far as they exist, by their absolute paths.
        gcov: Option<Vec<PathBuf>>,
    },
    Sanitizers {
        leaks: bool,
        symbolizer: Option<PathBuf>,
    },
}

/// Where the driver finds the test, and puts its report.
const TEST: &str = "test";
const REPORT: &str = "report";
/// The beginning of the names of what sanitizers write.
const LOG: &str = "log";
/// What gcov's counters are below, with their whole paths.
const GCOV: &str = "gcov";

pub fn job(build: &Build, test: &TestCase, program: PathBuf, watch: &Watch, sandbox: &Sandbox) -> Job {
    let control = |name: &str| sandbox.control().join(name).into_os_string();
    let of_driver = |path: PathBuf, bytes| File { place: Place::Control, path, bytes };
    let mut files = vec![of_driver(TEST.into(), inputs::encode(test))];
    files.extend(test.files.iter().map(|file| File {
        place: Place::Work,
        path: PathBuf::from(&file.name),
        bytes: file.bytes.0.clone(),
    }));
    let given = environment::VARIABLES.iter();
    let mut environment: Vec<(String, OsString)> =
        given.map(|(name, value)| ((*name).to_owned(), value.into())).collect();
    let text = |name: &OsString| name.to_string_lossy().into_owned();
    environment.extend(build.environment.iter().map(|(name, value)| (text(name), value.clone())));
    environment.push(("SYMCRETE_REPLAY_TEST".to_owned(), control(TEST)));
    environment.push(("SYMCRETE_REPLAY_REPORT".to_owned(), control(REPORT)));
    match watch {
        Watch::Counters { gcov } => {
            environment.push(("SYMCRETE_REPLAY_PROFILE".to_owned(), sandbox.control().into()));
            environment.push(("LLVM_PROFILE_FILE".to_owned(), control("%p.profraw")));
            if let Some(gcov) = gcov {
                environment.push(("GCOV_PREFIX".to_owned(), control(GCOV)));
                // Counters are added to those of earlier runs.
                let earlier = gcov.iter().filter_map(|path| Some((below_gcov(path), fs::read(path).ok()?)));
                files.extend(earlier.map(|(path, bytes)| of_driver(path, bytes)));
            }
        }
        Watch::Sanitizers { leaks, symbolizer } => {
            environment.extend(of_sanitizers(*leaks, symbolizer.as_deref(), &control(LOG)));
        }
    }
    let name = build.name.as_bytes().to_vec();
    Job {
        program,
        arguments: std::iter::once(name).chain(test.arguments.iter().map(|argument| argument.0.clone())).collect(),
        environment,
        files,
        stdin: test.stdin.as_ref().map(|text| text.0.clone().into()),
        stdin_is_passed: false,
        limits: limits(build, test, watch),
    }
}

fn of_sanitizers(leaks: bool, symbolizer: Option<&Path>, log: &OsString) -> Vec<(String, OsString)> {
    let with_log = |options: String| {
        let mut options = OsString::from(options);
        options.push(":log_path=");
        options.push(log);
        options
    };
    let address = format!(
        "exitcode=86:detect_leaks={}:detect_stack_use_after_return=1:allocator_may_return_null=1:halt_on_error=1:symbolize=1\
         :handle_segv=2:handle_sigbus=2:handle_sigfpe=2:handle_sigill=1:handle_sigtrap=1:handle_abort=1",
        u8::from(leaks)
    );
    let undefined = "print_stacktrace=0:halt_on_error=0".to_owned();
    let mut address = with_log(address);
    if let Some(path) = symbolizer {
        address.push(":external_symbolizer_path=");
        address.push(path);
    }
    vec![("ASAN_OPTIONS".to_owned(), address), ("UBSAN_OPTIONS".to_owned(), with_log(undefined))]
}

fn limits(build: &Build, test: &TestCase, watch: &Watch) -> Limits {
    let limits = &build.limits;
    let is_plain = matches!(watch, Watch::Counters { .. });
    // What need not end is given a moment.
    let has_no_end = test.ends.kind == "unfinished";
    let time = match is_plain {
        true if has_no_end => limits.time.min(MOMENT),
        true => limits.time,
        false => limits.time * SANITIZERS_TAKE,
    };
    // The user's own flags may ask for sanitizers, too.
    let reserves = build.sources.iter().any(|source| flags::needs_address_space(&source.flags));
    Limits {
        milliseconds: Some(time.as_millis() as u64),
        grace_milliseconds: GRACE.as_millis() as u64,
        memory_bytes: limits.memory_bytes,
        limits_address_space: is_plain && !reserves,
        stack_bytes: limits.stack_bytes,
        file_bytes: limits.file_bytes,
        processes: MOST_PROCESSES,
        open_files: MOST_OPEN_FILES,
        output_bytes: limits.output_bytes,
    }
}

fn below_gcov(path: &Path) -> PathBuf {
    Path::new(GCOV).join(path.strip_prefix("/").unwrap_or(path))
}

/// What the driver and the libraries of counters and sanitizers left.
#[derive(Default)]
pub struct Left {
    pub report: String,
    pub logs: String,
    /// LLVM's raw counters, as files in a directory of ours.
    pub raw: Vec<PathBuf>,
}

const MOST_SANITIZER_OUTPUT: usize = 1 << 20;
const MOST_REPORT: usize = 1 << 16;

impl Left {
    /// Sorts what is left; files go to `scratch`, and counters of gcov to where they are read, which is below `home`.
    pub fn read(done: &mut Done, scratch: &Path, home: &Path) -> io::Result<Left> {
        let mut left = Left::default();
        for file in std::mem::take(&mut done.files) {
            let name = file.path.to_string_lossy();
            if name == REPORT {
                left.report = beginning(&file.bytes, MOST_REPORT);
            } else if name.starts_with("log.") {
                left.logs.push_str(&beginning(&file.bytes, MOST_SANITIZER_OUTPUT));
            } else if name.ends_with(".profraw") && file.path.components().count() == 1 {
                let path = scratch.join(&file.path);
                fs::write(&path, &file.bytes)?;
                left.raw.push(path);
            } else if let Ok(path) = file.path.strip_prefix(GCOV) {
                let path = Path::new("/").join(path);
                // A program may have made any file there.
                let is_counter = path.starts_with(home) && path.extension().is_some_and(|end| end == "gcda");
                if is_counter && path.parent().is_some_and(Path::is_dir) {
                    fs::write(path, &file.bytes)?;
                }
            }
        }
        left.raw.sort();
        Ok(left)
    }
}

fn beginning(bytes: &[u8], most: usize) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(most)]).into_owned()
}
