//! How the chain is to work. What each field means for a query is in `chain.rs`.

use std::str::FromStr;

use crate::answer::Limits;
use crate::{mixed, walk};

/// Which backends are asked. In which order is for `plan` to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Solver {
    /// All of them.
    #[default]
    Auto,
    /// The exact ones: what decides mere order, the bit-blaster, Bitwuzla, listing of few values.
    Smt,
    /// The bit-blaster alone.
    Blast,
    /// Bitwuzla alone.
    Bitwuzla,
    /// Listing few values alone.
    Listing,
    /// Exact local solutions alone.
    Inversion,
    /// Concolic Walk alone.
    Walk,
    /// Meeting in the middle alone.
    Meet,
    /// Mixed concrete-symbolic solving alone.
    Mixed,
    /// The first solution of the simple part is believed, and the rest computed with it.
    Concretise,
}

impl Solver {
    pub const ALL: [Solver; 10] = [
        Solver::Auto,
        Solver::Smt,
        Solver::Blast,
        Solver::Bitwuzla,
        Solver::Listing,
        Solver::Inversion,
        Solver::Walk,
        Solver::Meet,
        Solver::Mixed,
        Solver::Concretise,
    ];

    /// As it is given to `--solver`.
    pub fn name(self) -> &'static str {
        match self {
            Solver::Auto => "auto",
            Solver::Smt => "smt",
            Solver::Blast => "blast",
            Solver::Bitwuzla => "bitwuzla",
            Solver::Listing => "listing",
            Solver::Inversion => "inversion",
            Solver::Walk => "walk",
            Solver::Meet => "meet",
            Solver::Mixed => "mixed",
            Solver::Concretise => "concretise",
        }
    }
}

impl FromStr for Solver {
    type Err = UnknownSolver;

    fn from_str(name: &str) -> Result<Solver, UnknownSolver> {
        let found = Solver::ALL.into_iter().find(|solver| solver.name() == name);
        found.ok_or_else(|| UnknownSolver { name: name.to_owned() })
    }
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no solver `{name}`; there are {}", Solver::ALL.map(Solver::name).join(", "))]
pub struct UnknownSolver {
    pub name: String,
}

/// What a cache may remember is counted in constraints, over all sets that it holds. 0 switches a stage off.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which backends are asked. Default: `auto`.
    pub solver: Solver,
    /// How long one query may take, unless it says otherwise. Default: that of [`Limits`].
    pub limits: Limits,
    /// The effort of an early turn of a search, before exact backends had theirs. Default: 30,000, about thirty milliseconds.
    pub short_effort: u64,
    /// The effort of a first turn of an exact backend, before any of them may use all of its limits. Default: 300,000, about a third
    /// of a second.
    pub quick_effort: u64,
    /// How Concolic Walk goes about it.
    pub walk: walk::Config,
    /// How mixed solving goes about it.
    pub mixed: mixed::Config,
    /// Whether constraints that share no variable with the question are left out. Default: yes.
    pub independence: bool,
    /// Remembered answers by the exact set of constraints. Default: 1,000,000.
    pub exact_results: usize,
    /// Remembered sets that contradict each other, under which larger sets are refuted. Default: 200,000.
    pub contradictions: usize,
    /// Remembered sets with a model, from which smaller sets take theirs. Default: 50,000.
    pub satisfied_sets: usize,
    /// Newest models, at most so many, that are tried on a query before a backend is asked. Default: 8.
    pub recent_models: usize,
    /// Models of states, at most so many, under which expressions stay evaluated. At least 1. Default: 16.
    pub evaluators: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            solver: Solver::Auto,
            limits: Limits::default(),
            short_effort: 30_000,
            quick_effort: 300_000,
            walk: walk::Config::default(),
            mixed: mixed::Config::default(),
            independence: true,
            exact_results: 1_000_000,
            contradictions: 200_000,
            satisfied_sets: 50_000,
            recent_models: 8,
            evaluators: 16,
        }
    }
}

impl Config {
    /// Every query that the model of its state does not answer goes to the backends as it is.
    pub fn without_caches(self) -> Config {
        Config {
            independence: false,
            exact_results: 0,
            contradictions: 0,
            satisfied_sets: 0,
            recent_models: 0,
            evaluators: 1,
            ..self
        }
    }
}
