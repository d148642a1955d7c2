//! `symcrete replay`: tests, whoever wrote them, run natively on the real program and compared with what they claim.

mod plan;
mod result;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use symcrete_testcase::{Coverage, EntryKind, Replayed, Replayer, TestCase, read_tests};

use crate::args::{CompilerArgs, LibraryArgs, heading};
use crate::error::Error;
use crate::library::Libraries;
use crate::progress::{self, Display};
use crate::report::plural;
use crate::sandbox::SandboxArgs;
use crate::settings::ConfigArgs;
use crate::{compile, cover, native, numbers};
use plan::{Plan, Planned};
use result::{ReplayResult, Row};

#[derive(ClapArgs, Debug)]
pub struct ReplayArgs {
    /// Output directory of `symcrete cover`, or a file or directory of tests: JSON, .ktest, .xml or .zip of Test-Comp, raw bytes
    #[arg(value_name = "TESTS")]
    pub tests: PathBuf,

    /// Sources, bitcode (.bc), LLVM text (.ll), or directories with a compile_commands.json [default: what the tests name]
    #[arg(value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    #[command(flatten)]
    pub config: ConfigArgs,

    #[command(flatten)]
    pub compiler: CompilerArgs,

    #[command(flatten)]
    pub library: LibraryArgs,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    /// Function to call, for tests that do not name one: .ktest, .xml and raw inputs [default: main]
    #[arg(long, value_name = "FUNCTION", help_heading = heading::INPUTS)]
    pub entry: Option<String>,

    /// Time limit of one test
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = numbers::duration, allow_negative_numbers = true, help_heading = heading::LIMITS)]
    pub time: Duration,

    /// Memory limit of one test
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = numbers::memory, allow_negative_numbers = true, help_heading = heading::LIMITS)]
    pub memory: u64,

    /// Number of tests that run at once [default: number of processors]
    #[arg(long, value_name = "N", value_parser = numbers::threads, allow_negative_numbers = true, help_heading = heading::LIMITS)]
    pub jobs: Option<usize>,

    /// Print one JSON document on standard output (see `symcrete schema`)
    #[arg(long, help_heading = heading::OUTPUT)]
    pub json: bool,
}

/// Replays; the exit status is 1 if a test shows a finding or does not do what it claims, 130 after an interrupt, and 0 otherwise.
pub fn run(args: &ReplayArgs) -> Result<u8, Error> {
    let tests = read_tests(&args.tests)?;
    let files = program_files(args, &tests)?;
    let interrupt = cover::interrupt_flag();
    let began = Instant::now();
    let plan = Plan::new(args, &files, tests)?;
    let mut done = Done { compile_time: began.elapsed(), ..Done::default() };
    let clang = compile::find_clang(&args.compiler.clang)?;
    let sources = compile::sources(&files, &args.compiler)?;
    let libraries = Libraries::build(&args.library, &clang)?;
    let sandbox = args.sandbox.policy().map_err(Error::Usage)?;
    for kind in [EntryKind::Program, EntryKind::Function, EntryKind::Fuzzer] {
        let Some(entry) = plan.entry(kind) else { continue };
        let mut build = native::build(&clang, &sources, entry, Ok(sandbox.clone()));
        native::link_with(&mut build, libraries.as_ref());
        build.limits.time = args.time;
        build.limits.memory_bytes = args.memory;
        build.stop = interrupt.clone();
        done.replay(build, &plan.tests, kind, args.jobs)?;
    }
    let rows = rows(plan.tests, done.replayed);
    let result = ReplayResult {
        rows,
        coverage: done.coverage,
        compile_time: done.compile_time,
        time: done.time,
        is_interrupted: interrupt.load(Ordering::Relaxed),
    };
    result.print(args.json);
    Ok(result.status())
}

/// The program that the user named, or else the one that the tests name.
fn program_files(args: &ReplayArgs, tests: &[(PathBuf, TestCase)]) -> Result<Vec<PathBuf>, Error> {
    if !args.program.is_empty() {
        return Ok(args.program.clone());
    }
    let mut named = tests.iter().map(|(_, test)| &test.program);
    let first = named.next().filter(|files| !files.is_empty());
    let Some(first) = first.filter(|first| named.all(|other| other == *first)) else {
        let reason = "the tests do not name one program; name its files after the tests";
        return Err(Error::Usage(reason.to_owned()));
    };
    let files: Vec<PathBuf> = first.iter().map(PathBuf::from).collect();
    match files.iter().find(|file| !file.exists()) {
        Some(missing) => Err(Error::Usage(format!(
            "the tests name {}, which is not here; name the program's files after the tests",
            missing.display()
        ))),
        None => Ok(files),
    }
}

/// What the replayers did so far.
#[derive(Default)]
struct Done {
    replayed: BTreeMap<usize, Replayed>,
    coverage: Option<Result<Coverage, String>>,
    compile_time: Duration,
    time: Duration,
}

impl Done {
    /// Builds the program for tests of one kind, and runs them.
    fn replay(
        &mut self,
        build: symcrete_testcase::Build,
        tests: &[Planned],
        kind: EntryKind,
        jobs: Option<usize>,
    ) -> Result<(), Error> {
        let began = Instant::now();
        let replayer = Replayer::new(build)?;
        self.compile_time += began.elapsed();
        let began = Instant::now();
        let of_kind = |(_, test): &(usize, &Planned)| test.test.kind == kind && test.trouble.is_none();
        let (numbers, chosen): (Vec<usize>, Vec<TestCase>) =
            tests.iter().enumerate().filter(of_kind).map(|(number, test)| (number, test.test.clone())).unzip();
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let display = Mutex::new(Display::new());
        let total = chosen.len();
        let replayed = replayer.run_all_telling(&chosen, jobs.unwrap_or_else(processors), &|done| {
            if let Ok(mut display) = display.lock() {
                display.show(|| format!("{done} of {total} test{} run natively", plural(total)));
            }
        });
        progress::wipe();
        self.replayed.extend(numbers.into_iter().zip(replayed));
        self.time += began.elapsed();
        let coverage = replayer.coverage();
        self.coverage = Some(match (self.coverage.take(), coverage) {
            (Some(Ok(mut before)), Ok(now)) => {
                before.merge(now);
                Ok(before)
            }
            (Some(Ok(before)), Err(_)) => Ok(before),
            (_, now) => now,
        });
        Ok(())
    }
}

fn rows(tests: Vec<Planned>, mut replayed: BTreeMap<usize, Replayed>) -> Vec<Row> {
    let row = |(number, planned): (usize, Planned)| Row {
        replayed: replayed.remove(&number),
        name: planned.name,
        path: planned.path,
        test: planned.test,
        trouble: planned.trouble,
    };
    tests.into_iter().enumerate().map(row).collect()
}
