//! The options that `cover` and `reach` have in common.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::heading;
use super::program::ProgramArgs;
use crate::numbers;
use crate::solving::SolvingArgs;

#[derive(ClapArgs, Clone, Debug)]
pub struct ExploreArgs {
    /// C, C++ or Rust sources, bitcode (.bc), LLVM text (.ll), or directories with a compile_commands.json
    #[arg(value_name = "PROGRAM")]
    pub files: Vec<PathBuf>,

    /// Arguments of the program, after `--`; `--sym-args MIN MAX LEN` and `--sym-arg LEN` among them are symbolic
    #[arg(last = true, value_name = "ARGS")]
    pub arguments: Vec<OsString>,

    #[command(flatten)]
    pub program: ProgramArgs,

    #[command(flatten)]
    pub inputs: InputArgs,

    #[command(flatten)]
    pub limits: LimitArgs,

    #[command(flatten)]
    pub output: OutputArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub solver: SolverArgs,

    #[command(flatten)]
    pub research: ResearchArgs,
}

/// What is symbolic.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::INPUTS)]
pub struct InputArgs {
    /// Function to call with symbolic parameters; FILE:FUNCTION if its name is not unique [default: main]
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,

    /// Global variables that are inputs of --entry, or `all` (separated by commas)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_short_help = true)]
    pub globals: Vec<String>,

    /// Between MIN and MAX symbolic arguments of up to LEN bytes
    #[arg(long, num_args = 3, value_names = ["MIN", "MAX", "LEN"], action = clap::ArgAction::Append, value_parser = numbers::size, allow_negative_numbers = true)]
    pub sym_args: Vec<u32>,

    /// N symbolic bytes of standard input
    #[arg(long, value_name = "N", value_parser = numbers::symbolic_bytes, allow_negative_numbers = true)]
    pub sym_stdin: Option<u32>,

    /// N symbolic files of LEN bytes each, named A, B and so on
    #[arg(long, num_args = 2, value_names = ["N", "LEN"], value_parser = numbers::size, allow_negative_numbers = true, hide_short_help = true)]
    pub sym_files: Option<Vec<u32>>,

    /// Maximum number of bytes for a fuzz target (LLVMFuzzerTestOneInput)
    #[arg(long, value_name = "BYTES", default_value_t = 16, value_parser = numbers::bytes, allow_negative_numbers = true, hide_short_help = true)]
    pub max_len: u64,

    /// Number of elements of an object behind a pointer [default: depends on the type]
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub elements: Option<u64>,
}

/// When a search ends, and which paths are abandoned.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::LIMITS)]
pub struct LimitArgs {
    /// Time limit of the search, such as 10s or 1h30m [default: none]
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, allow_negative_numbers = true)]
    pub time: Option<Duration>,

    /// Memory for states and expressions; past it, states are evicted and rebuilt later
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = numbers::memory, allow_negative_numbers = true, hide_short_help = true)]
    pub memory: u64,

    /// Time limit of the native replay after the search [default: a tenth of --time, at least 5s]
    #[arg(long, value_name = "TIME", value_parser = numbers::duration_or_zero, allow_negative_numbers = true, hide_short_help = true)]
    pub replay_time: Option<Duration>,

    /// Limit on executed instructions [default: none]
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub budget_steps: Option<u64>,

    /// Limit on followed paths [default: none]
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub max_paths: Option<u64>,

    /// Abandon paths with more than N forks [default: none]
    #[arg(long, value_name = "N", value_parser = numbers::count::<u32>, allow_negative_numbers = true, hide_short_help = true)]
    pub max_depth: Option<u32>,

    /// Abandon paths with more than N symbolic iterations of a loop [default: none]
    #[arg(long, value_name = "N", value_parser = numbers::count::<u32>, allow_negative_numbers = true, hide_short_help = true)]
    pub max_loop: Option<u32>,

    /// Abandon paths after N instructions [default: none]
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub max_steps: Option<u64>,

    /// Abandon paths where an address or length has more than N values to tell apart [default: 4096]
    #[arg(long, value_name = "N", value_parser = numbers::at_least_one::<u32>, allow_negative_numbers = true, hide_short_help = true)]
    pub max_values: Option<u32>,
}

/// What is written and printed.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::OUTPUT)]
pub struct OutputArgs {
    /// Directory for tests and results; an earlier suite is moved to DIR/previous
    #[arg(long, value_name = "DIR", default_value = "symcrete-out")]
    pub out: PathBuf,

    /// Format of tests beside JSON (repeatable)
    #[arg(long = "format", value_name = "NAME", value_parser = formats())]
    pub formats: Vec<symcrete_testcase::Format>,

    /// Print one JSON document on standard output (see `symcrete schema`)
    #[arg(long)]
    pub json: bool,

    /// Do not run the tests natively
    #[arg(long, hide_short_help = true)]
    pub no_replay: bool,

    /// Print statistics of the solver chain
    #[arg(long, hide_short_help = true)]
    pub stats: bool,
}

/// Which states run next, and on how many threads.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::SEARCH)]
pub struct SearchArgs {
    /// Search strategy, or several with commas between them; `help` lists all [default: depends on --mode]
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub search: Option<String>,

    /// Number of threads that explore
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = numbers::threads, allow_negative_numbers = true)]
    pub jobs: usize,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub seed: u64,

    /// Merge states at a branch whose sides only compute after N forks there, or `never` [default: 12]
    #[arg(long, value_name = "N", value_parser = join_after, allow_negative_numbers = true, hide_short_help = true)]
    pub join: Option<JoinAfter>,
}

/// Which solvers are asked, and what becomes a part of path conditions.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::SOLVER)]
pub struct SolverArgs {
    #[command(flatten)]
    pub solving: SolvingArgs,

    /// Time limit of one query; what it leaves undecided is retried later [default: 10s]
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, allow_negative_numbers = true, hide_short_help = true)]
    pub query_time: Option<Duration>,

    /// Function that is pure and takes numbers; its calls become terms of path conditions (separated by commas)
    #[arg(long = "pure", value_name = "FUNCTION", value_delimiter = ',', hide_short_help = true)]
    pub pure: Vec<String>,

    /// TOML file with partitions of the domains of pure functions: FUNCTION = ["arg1 > 3", "arg1 <= 3"]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub partitions: Option<PathBuf>,
}

/// Baselines and switches for experiments.
#[derive(ClapArgs, Clone, Debug)]
#[command(next_help_heading = heading::RESEARCH)]
pub struct ResearchArgs {
    /// Treatment of calls of libm and of pure functions with symbolic arguments
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Calls::Symbolic, hide_short_help = true)]
    pub calls: Calls,

    /// Skip concrete runs before and beside the symbolic search
    #[arg(long, hide_short_help = true)]
    pub no_burst: bool,

    /// Skip hill climbing with concrete runs towards uncovered code
    #[arg(long, hide_short_help = true)]
    pub no_climb: bool,

    /// Directory for every query that reaches a solver, as SMT-LIB
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub log_queries: Option<PathBuf>,
}

/// Forks at a branch after which states are merged there, if ever.
#[derive(Copy, Clone, Debug)]
pub struct JoinAfter(pub Option<u32>);

impl Default for JoinAfter {
    fn default() -> JoinAfter {
        JoinAfter(Some(12))
    }
}

fn join_after(text: &str) -> Result<JoinAfter, String> {
    match text {
        "never" => Ok(JoinAfter(None)),
        _ => numbers::at_least_one(text)
            .map(|forks| JoinAfter(Some(forks)))
            .map_err(|reason| format!("{reason}, or `never`")),
    }
}

/// What happens to calls with symbolic arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Calls {
    /// Calls of libm and of pure functions are terms of path conditions
    Symbolic,
    /// Arguments are fixed to values that they can have, for the rest of the path (as EXE does)
    Concretise,
    /// Results are those of one run, which is repeated with its last condition negated (as DART does)
    Dart,
}

/// Formats by their names, which clap knows then, and suggests.
fn formats() -> impl clap::builder::TypedValueParser<Value = symcrete_testcase::Format> {
    use clap::builder::TypedValueParser as _;
    let names = clap::builder::PossibleValuesParser::new(symcrete_testcase::format::NAMES);
    names.try_map(|name| name.parse::<symcrete_testcase::Format>())
}
