//! `symcrete solve`: the solver chain alone, on an SMT-LIB script. The functions that it may declare are in
//! `solve/functions.rs`.

mod functions;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use symcrete_solver::smtlib::Script;
use symcrete_solver::{Chain, InternalError, Limits, Statistics};

use crate::args::heading;
use crate::error::Error;
use crate::numbers;
use crate::solving::SolvingArgs;

#[derive(ClapArgs, Debug)]
pub struct SolveArgs {
    /// SMT-LIB 2.6 script over vectors, arrays and floats (QF_BV, QF_ABV, QF_FP, QF_ABVFP), or `-` for standard input
    ///
    /// A function that it declares without a body is the one of that name in math.h: `(declare-fun sin (Float64)
    /// Float64)` is the sine, of Float32 it is `sinf`. Another name says which one it is: `(declare-fun f (Float64)
    /// Float64 :pure "sin")`. What goes through a pointer or to errno is a function of its own, as in `frexp.0` and
    /// `exp.errno`.
    #[arg(value_name = "FILE.smt2")]
    pub script: PathBuf,

    /// Time limit of all queries together, past which answers are `unknown` [default: none]
    #[arg(long, value_name = "TIME", value_parser = numbers::duration, allow_negative_numbers = true, help_heading = heading::LIMITS)]
    pub time: Option<Duration>,

    /// Print statistics of the solver chain
    #[arg(long, help_heading = heading::OUTPUT)]
    pub stats: bool,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count::<u64>, allow_negative_numbers = true, help_heading = heading::SEARCH)]
    pub seed: u64,

    #[command(flatten)]
    pub solving: SolvingArgs,
}

/// Who gives no time wants an answer, however long it takes.
const NO_TIME: Duration = Duration::from_secs(365 * 24 * 3600);

/// Executes the script; the exit status is 0 if every question was decided, 3 if some were not, 2 if the script makes
/// no sense.
pub fn run(args: &SolveArgs) -> Result<u8, Error> {
    let began = Instant::now();
    let text = read(&args.script)?;
    let chain = Chain::new(args.solving.config(args.seed));
    let allowed = args.time.unwrap_or(NO_TIME);
    let limits = || Limits { effort: u64::MAX, time: allowed.saturating_sub(began.elapsed()), ..Limits::default() };
    // Each answer is to be seen when it is there, not when all are.
    let mut print = |line: &str| {
        let _ = writeln!(io::stdout(), "{line}");
    };
    let mut script = Script::new(chain, limits).with_functions(functions::resolve);
    let outcome = script.run(&text, &mut print);
    if args.stats {
        let text = statistics_text(script.chain().statistics(), began.elapsed());
        let _ = write!(io::stderr(), "{text}");
    }
    if let Some(error) = script.chain().take_errors().first() {
        return Err(internal(error));
    }
    Ok(match (outcome.error, outcome.unknown) {
        (Some(_), _) => 2,
        (None, 0) => 0,
        (None, _) => 3,
    })
}

fn read(path: &Path) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let result = match path.as_os_str().to_str() {
        Some("-") => io::stdin().read_to_end(&mut bytes).map(|_| bytes),
        _ => std::fs::read(path),
    };
    let bytes = result.map_err(|source| Error::Read { path: path.to_owned(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Saves the query, so that whoever meets this can report it.
fn internal(error: &InternalError) -> Error {
    let path = std::env::temp_dir().join(format!("symcrete-wrong-model-{}.smt2", std::process::id()));
    let place = match std::fs::write(&path, &error.query) {
        Ok(()) => format!("the query is in {}", path.display()),
        Err(error) => format!("the query could not be saved: {error}"),
    };
    Error::Internal(format!("{} gave a model that does not satisfy the constraints; {place}", error.backend))
}

/// What each stage did, as a table.
pub fn statistics_text(statistics: &Statistics, time: Duration) -> String {
    let seconds = |time: Duration| time.as_secs_f64();
    let mut text = format!(
        "{} questions: {} sat, {} unsat, {} unknown, in {:.3} s\n",
        statistics.queries,
        statistics.sat,
        statistics.unsat,
        statistics.unknown,
        seconds(time)
    );
    text += &format!("{:<16} {:>9} {:>9} {:>10}\n", "stage", "asked", "answered", "seconds");
    for (stage, books) in statistics.stages() {
        let row = (stage.name(), books.asked, books.answered, seconds(books.time));
        text += &format!("{:<16} {:>9} {:>9} {:>10.3}\n", row.0, row.1, row.2, row.3);
    }
    text +=
        &format!("{:<16} {:>9} {:>9} {:>9} {:>9} {:>10}\n", "backend", "asked", "sat", "unsat", "unknown", "seconds");
    for backend in &statistics.backends {
        text += &format!(
            "{:<16} {:>9} {:>9} {:>9} {:>9} {:>10.3}\n",
            backend.name,
            backend.queries,
            backend.sat,
            backend.unsat,
            backend.unknown,
            seconds(backend.time)
        );
    }
    text
}
