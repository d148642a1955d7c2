//! What is said about solvers on the command line, wherever they are used.

use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use symcrete_solver::{Config, Solver, mixed, walk};

use crate::args::heading;

#[derive(ClapArgs, Debug, Clone)]
#[command(next_help_heading = heading::SOLVER)]
pub struct SolvingArgs {
    /// Solver chain, or one backend of it
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = solvers(), hide_short_help = true)]
    pub solver: Solver,

    /// Settings of Concolic Walk: `paper` for the algorithm as published, or KEY=VALUE such as steps=300 or bisection=off
    #[arg(long, value_name = "SETTINGS", default_value = "", hide_default_value = true, help_heading = heading::RESEARCH, hide_short_help = true)]
    pub walk: walk::Config,

    /// Settings of mixed solving: KEY=VALUE such as tries=20 or partitions=off
    #[arg(long, value_name = "SETTINGS", default_value = "", hide_default_value = true, help_heading = heading::RESEARCH, hide_short_help = true)]
    pub mixed: mixed::Config,
}

/// Solvers by their names, which clap knows then, and suggests.
fn solvers() -> impl TypedValueParser<Value = Solver> {
    let help = |solver: Solver| match solver {
        Solver::Auto => "All of them, in an order that suits the query",
        Solver::Smt => "All exact solvers",
        Solver::Blast => "Bit-blasting to CaDiCaL",
        Solver::Bitwuzla => "Bitwuzla",
        Solver::Listing => "Enumeration of what has few values",
        Solver::Inversion => "Inversion of operations, one by one",
        Solver::Walk => "Concolic Walk",
        Solver::Meet => "Meet in the middle, for hashes and checksums",
        Solver::Mixed => "Mixed concrete-symbolic solving",
        Solver::Concretise => "Unsupported terms fixed to the values of one run",
    };
    let values = Solver::ALL.map(|solver| PossibleValue::new(solver.name()).help(help(solver)));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Solver>())
}

impl SolvingArgs {
    /// What the chain is told, with this seed.
    pub fn config(&self, seed: u64) -> Config {
        Config {
            solver: self.solver,
            walk: walk::Config { seed, ..self.walk.clone() },
            mixed: mixed::Config { seed, ..self.mixed.clone() },
            ..Config::default()
        }
    }
}
