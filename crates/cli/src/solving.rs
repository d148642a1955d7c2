//! What is said about solvers on the command line, wherever they are used.

use clap::Args as ClapArgs;
use symcrete_solver::{Config, Solver, mixed, walk};

#[derive(ClapArgs, Debug, Clone)]
pub struct SolvingArgs {
    /// Which solver to ask: auto, smt (all exact ones), blast (bits to CaDiCaL), bitwuzla, inversion, walk, mixed or concretise
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub solver: Solver,

    /// How Concolic Walk goes about it: `paper` for the algorithm of the paper alone, and KEY=VALUE such as steps=300 or bisection=off
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    pub walk: walk::Config,

    /// How mixed solving goes about it: KEY=VALUE such as tries=20 or partitions=off
    #[arg(long, value_name = "SETTINGS", default_value = "")]
    pub mixed: mixed::Config,
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
