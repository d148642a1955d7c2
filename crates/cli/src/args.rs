//! What was typed. What it means is decided elsewhere.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};

use crate::numbers;
use crate::sandbox::SandboxArgs;

/// Finds inputs that make a C, C++ or Rust program reach a line, or all of its code.
#[derive(Parser, Debug)]
#[command(name = "symcrete", version, about)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Execute a program concretely, exactly as the machine would, and report memory errors
    Run(RunArgs),
    /// Write a test suite that covers a program
    Cover(Box<CoverCommand>),
    /// Find one input that executes a line, or prove that none does
    Reach(Box<ReachArgs>),
    /// Run tests natively, compare them with what they claim, and count what they cover
    Replay(crate::replay::ReplayArgs),
    /// Decide an SMT-LIB script with the solver chain alone
    Solve(crate::solve::SolveArgs),
    /// Tell what this machine offers: the compiler, counters of coverage, the sandbox
    Doctor(crate::doctor::DoctorArgs),
    /// The process that calls functions of --library; started by Symcrete itself
    #[command(name = NATIVE_HELPER, hide = true)]
    NativeHelper(NativeHelperArgs),
}

/// The name of the command that only Symcrete itself gives.
pub const NATIVE_HELPER: &str = "native-helper";

#[derive(ClapArgs, Debug)]
pub struct NativeHelperArgs {
    /// Shared objects
    #[arg(value_name = "LIBRARY")]
    pub libraries: Vec<PathBuf>,
}

#[derive(ClapArgs, Clone, Debug)]
pub struct LibraryArgs {
    /// Where functions are that the program calls and does not define: a shared object (.so), an object (.o), an archive
    /// (.a) or a C source, which is compiled natively (may be given several times)
    #[arg(long = "library", value_name = "FILE")]
    pub libraries: Vec<PathBuf>,
}

/// Forks at a branch after which paths are joined there, if ever.
#[derive(Copy, Clone, Debug)]
pub struct JoinAfter(pub Option<u32>);

impl Default for JoinAfter {
    fn default() -> JoinAfter {
        JoinAfter(Some(12))
    }
}

/// A name in a list, which may have blanks around it.
fn trimmed(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.trim().to_owned())
}

fn join_after(text: &str) -> Result<JoinAfter, String> {
    match text {
        "never" => Ok(JoinAfter(None)),
        _ => numbers::at_least_one(text)
            .map(|forks| JoinAfter(Some(forks)))
            .map_err(|reason| format!("{reason}, or `never`")),
    }
}

/// What becomes of calls with arguments that hang on inputs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Calls {
    /// Calls of libm and of pure functions are parts of path conditions
    Symbolic,
    /// The arguments are fixed to values that they can have, for the rest of the path (as EXE does)
    Concretise,
    /// The result is that of one run, which is repeated with its last condition negated (as DART does)
    Dart,
}

/// The words are targets and the program's files: FILE:LINE, FILE:LINE:COLUMN or the name of a function is a target. Without one, it is
/// what the program marks: calls of symcrete_target(), reach_error() or __VERIFIER_error(), or assertions. Without a file, it is the target's.
#[derive(ClapArgs, Debug)]
pub struct ReachArgs {
    #[command(flatten)]
    pub search: CoverArgs,

    /// How to search: backward from the target, with runs from the entry beside it; or only forward, as `cover` does
    #[arg(long, value_enum, default_value_t = Mode::Backward, value_name = "MODE")]
    pub mode: Mode,

    /// Do not sum up in one step what loops do to counters
    #[arg(long)]
    pub no_summaries: bool,

    /// How often the backward search goes round a loop that it cannot leave to concrete runs
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = numbers::count::<usize>, allow_negative_numbers = true)]
    pub rounds: usize,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    Backward,
    Forward,
}

#[derive(ClapArgs, Clone, Debug)]
pub struct CoverCommand {
    #[command(flatten)]
    pub search: CoverArgs,

    #[command(flatten)]
    pub exploring: ExploringArgs,
}

/// How `cover` explores.
#[derive(ClapArgs, Clone, Debug)]
#[command(args_override_self = true)]
pub struct ExploringArgs {
    /// How to explore
    #[arg(long, value_enum, default_value_t = Exploring::Forward, value_name = "MODE")]
    pub mode: Exploring,

    /// With --mode concolic: what is not linear in a condition becomes the number that it is in the run, which loses paths
    #[arg(long)]
    pub simplify: bool,

    /// With --mode lazy: pass over calls of these functions, and of no others; nothing but what is under test then gets
    /// a test for each path
    #[arg(long = "abstract", value_name = "FUNCTIONS", value_delimiter = ',', value_parser = trimmed)]
    pub abstracted: Vec<String>,

    /// With --mode lazy: never pass over calls of these functions; they are under test
    #[arg(long, value_name = "FUNCTIONS", value_delimiter = ',', value_parser = trimmed)]
    pub no_abstract: Vec<String>,

    /// With --mode lazy: only the function under test; nothing for what it calls, no forward search beside it
    #[arg(long)]
    pub no_deeper: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Exploring {
    /// Paths fork where inputs decide, and a strategy chooses which one goes on
    Forward,
    /// The program runs on one input after the other, each with a condition of an earlier run negated (as DART, CUTE and SAGE do)
    Concolic,
    /// The paths of the function under test without those of what it calls, which are looked into on demand (lazy expansion)
    Lazy,
}

#[derive(ClapArgs, Clone, Debug)]
#[command(args_override_self = true)]
pub struct CoverArgs {
    /// C, C++ or Rust sources, bitcode (.bc), LLVM text (.ll), or directories with a compile_commands.json
    #[arg(value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    /// Arguments of the program, after `--`; `--sym-args MIN MAX LEN` and `--sym-arg LEN` among them stand for symbolic ones
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<std::ffi::OsString>,

    #[command(flatten)]
    pub compiler: CompilerArgs,

    /// The function to call, FILE:FUNCTION where several have one name; its parameters become inputs
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Variables of the program that become inputs of --entry too; `all` for all of them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub globals: Vec<String>,

    /// Between MIN and MAX symbolic arguments of up to LEN bytes
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], action = clap::ArgAction::Append, value_parser = numbers::size, allow_negative_numbers = true)]
    pub sym_args: Vec<u32>,

    /// N symbolic bytes of standard input
    #[arg(long, value_name = "N", value_parser = numbers::size, allow_negative_numbers = true)]
    pub sym_stdin: Option<u32>,

    /// N symbolic files of LEN bytes each, named A, B and so on
    #[arg(long, num_args = 2, value_names = ["N", "LEN"], value_parser = numbers::size, allow_negative_numbers = true)]
    pub sym_files: Option<Vec<u32>>,

    /// The most bytes that a fuzz target (LLVMFuzzerTestOneInput) is given
    #[arg(long, value_name = "BYTES", default_value_t = 16, value_parser = numbers::count::<u64>, allow_negative_numbers = true)]
    pub max_len: u64,

    /// How many elements an object behind a pointer has
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true)]
    pub elements: Option<u64>,

    /// A function whose result hangs on its arguments alone, which must be numbers: calls of it become parts of path
    /// conditions instead of being looked into (several with commas, or the flag several times)
    #[arg(long = "pure", value_name = "FUNCTION", value_delimiter = ',')]
    pub pure: Vec<String>,

    #[command(flatten)]
    pub library: LibraryArgs,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    /// How long one call of a function of --library may take
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = numbers::seconds, allow_negative_numbers = true)]
    pub call_time: f64,

    /// What becomes of calls of libm and of pure functions with arguments that hang on inputs
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Calls::Symbolic)]
    pub calls: Calls,

    /// How to choose what to explore next; see `--search help` [default: combined,random-path,md2u; dfs with --mode concolic]
    #[arg(long, value_name = "NAME")]
    pub search: Option<String>,

    /// Conditions that divide the domains of pure functions, for mixed solving: a TOML file with `FUNCTION = ["arg1 > 3", …]`
    #[arg(long, value_name = "FILE")]
    pub partitions: Option<PathBuf>,

    #[command(flatten)]
    pub solving: crate::solving::SolvingArgs,

    /// How long the solver may think about one question before it is put off
    #[arg(long, value_name = "SECONDS", value_parser = numbers::seconds, allow_negative_numbers = true)]
    pub query_time: Option<f64>,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = numbers::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,

    /// Stop after this many instructions
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true)]
    pub budget_steps: Option<u64>,

    /// How much memory states and expressions may take before states are put aside
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true)]
    pub memory: u64,

    /// How many threads explore
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::threads, allow_negative_numbers = true)]
    pub jobs: usize,

    /// Seed of all that is chosen at random
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count::<u64>, allow_negative_numbers = true)]
    pub seed: u64,

    /// Go on with a search that was stopped, in its output directory; its program and flags need not be repeated
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,

    /// How often a checkpoint is written (for testing)
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, allow_negative_numbers = true, hide = true)]
    pub checkpoint: f64,

    /// Where tests and results go; a suite that is there already is moved to DIR/previous
    #[arg(long, value_name = "DIR", default_value = "symcrete-out")]
    pub out: PathBuf,

    /// More formats for the tests, beside JSON: ktest, testcomp, corpus, c, rust (may be given several times)
    #[arg(long = "format", value_name = "NAME")]
    pub formats: Vec<String>,

    /// A test for every path, not only for those that cover something new; the search then follows all paths, where otherwise it ends
    /// once all code is covered and a bounded amount of further work finds nothing new
    #[arg(long)]
    pub every_path: bool,

    /// Stop after this many paths
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true)]
    pub max_paths: Option<u64>,

    /// Give up paths with more than N forks
    #[arg(long, value_name = "N", value_parser = numbers::count::<u32>, allow_negative_numbers = true)]
    pub max_depth: Option<u32>,

    /// Give up paths that go round a loop, as far as inputs decide on it, more than N times
    #[arg(long, value_name = "N", value_parser = numbers::count::<u32>, allow_negative_numbers = true)]
    pub max_loop: Option<u32>,

    /// Give up paths after N instructions
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true)]
    pub max_steps: Option<u64>,

    /// Give up paths where one address or length may have more than N values that must be told apart (4096 without the flag)
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u32>, allow_negative_numbers = true)]
    pub max_values: Option<u32>,

    /// Where a path forked N times at one branch whose sides only compute, it goes both ways as one from then on; a number (12
    /// without the flag), or `never`: each path is followed by itself, also once all code is covered
    #[arg(long, value_name = "N", value_parser = join_after, allow_negative_numbers = true)]
    pub join: Option<JoinAfter>,

    /// Do not run the tests natively
    #[arg(long)]
    pub no_replay: bool,

    /// How long tests are run natively when the search is over [default: `cover`: a tenth of --time, at least 5; without
    /// --time as long as it takes; `reach`: 30]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub replay_time: Option<f64>,

    /// No concrete runs before and beside the symbolic search
    #[arg(long)]
    pub no_burst: bool,

    /// No concrete runs that come nearer step by step to what is not covered
    #[arg(long)]
    pub no_climb: bool,

    /// Report heap memory that was never freed
    #[arg(long)]
    pub leaks: bool,

    /// Report signed arithmetic that overflows, and shifts by too many bits
    #[arg(long)]
    pub overflow: bool,

    /// Print one JSON document on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,

    /// Print what each stage of the solver chain did
    #[arg(long)]
    pub stats: bool,

    /// Write every query that reaches a solver into this directory, as SMT-LIB
    #[arg(long, value_name = "DIR")]
    pub log_queries: Option<PathBuf>,

    /// Write which path claims which input, for programs of one or two bytes of input (for testing the engine)
    #[arg(long, value_name = "FILE", hide = true)]
    pub partition: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub struct RunArgs {
    /// C, C++ or Rust sources, bitcode (.bc), LLVM text (.ll), or directories with a compile_commands.json
    #[arg(required = true, value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    /// Arguments of the program, after `--`
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<std::ffi::OsString>,

    #[command(flatten)]
    pub compiler: CompilerArgs,

    #[command(flatten)]
    pub library: LibraryArgs,

    #[command(flatten)]
    pub sandbox: SandboxArgs,

    /// How long one call of a function of --library may take
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = numbers::seconds, allow_negative_numbers = true)]
    pub call_time: f64,

    /// Report heap memory that was never freed
    #[arg(long)]
    pub leaks: bool,

    /// Report signed arithmetic that overflows, and shifts by too many bits
    #[arg(long)]
    pub overflow: bool,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = numbers::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,

    /// Seed of everything that would be random: the clock, /dev/urandom
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count::<u64>, allow_negative_numbers = true)]
    pub seed: u64,

    /// Put the files that the program writes into this directory (otherwise they live in memory only)
    #[arg(long, value_name = "DIR")]
    pub scratch: Option<PathBuf>,

    /// Execute every instruction the general way, without short forms for machine words (slow; for testing the engine)
    #[arg(long, hide = true)]
    pub general: bool,

    /// Print what was executed and how long it took
    #[arg(long)]
    pub stats: bool,
}

#[derive(ClapArgs, Clone, Debug)]
pub struct CompilerArgs {
    /// The clang to compile sources with
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// A flag for clang, as in --cflag=-O2 (may be given several times)
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    pub flags: Vec<String>,

    /// Add a directory to the include path
    #[arg(short = 'I', value_name = "DIR")]
    pub includes: Vec<PathBuf>,

    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
}
