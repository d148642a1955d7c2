//! Which pending path runs next. A strategy sees path numbers, the branches that paths took, and `Metrics`; never a
//! state. Running, forking and ending paths is the session's work.
//!
//! The session holds a `Frontier`, which keeps one strategy (or several, in turns) told of what happens to pending
//! paths. Strategies are made from their names by `table`; a new one is one file here and one row there.

mod arrivals;
mod effort;
mod frontier;
mod generational;
mod interleaved;
mod ordered;
mod random_path;
mod roster;
mod subpath;
mod table;
#[cfg(test)]
mod tests;
mod weight;
mod weighted;

use cranelift_entity::entity_impl;

use crate::path::distance::Place;

pub use frontier::Frontier;
pub use generational::Generational;
pub use interleaved::Interleaved;
pub use ordered::Ordered;
pub use random_path::RandomPath;
pub use subpath::{Subpath, SubpathCount, Ties};
pub use symcrete_solver::Random;
pub use table::{DEFAULT, Row, STRATEGIES, UnknownStrategy, parse};
pub use weight::Weight;
pub use weighted::Weighted;

/// A pending path. Numbers may be used again once their path was removed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId(u32);
entity_impl!(PathId, "path");

/// The side of a fork that a path took. A branch that was decided without a fork is no such thing: it tells nothing
/// about where else the path might have gone, and strategies do not hear of it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Branch {
    /// The instruction that forked.
    pub site: Place,
    /// Which of its ways: the number of an edge, or of a case where the way is not one.
    pub direction: u32,
}

/// What strategies may ask about a pending path. They ask when they need it, so that what nobody asks for is never
/// computed.
///
/// While a path is pending, its distance and its visits may grow (others cover code and execute instructions); the
/// rest stands still.
pub trait Metrics {
    /// Forks since the entry.
    fn depth(&mut self, path: PathId) -> u32;
    /// Instructions that the path executed since it last covered something that no path had; `None`: it never did.
    fn since_new(&mut self, path: PathId) -> Option<u64>;
    /// The fewest instructions from where the path stands to uncovered code; `None`: there is none that it could reach.
    fn distance_to_uncovered(&mut self, path: PathId) -> Option<u32>;
    /// How often the instruction on which the path stands was executed, by all paths together.
    fn visits(&mut self, path: PathId) -> u64;
    /// What the path's queries cost so far, in units of the solver's work (never of time, which is not the same twice).
    fn query_cost(&mut self, path: PathId) -> u64;
    /// What the run that left the path pending covered and none had, in concolic testing; 0 elsewhere.
    fn gain(&mut self, path: PathId) -> u64;
}

/// A way to choose. The calls obey the contract that `Frontier` states and checks.
pub trait Strategy: Send {
    /// A path from elsewhere: the first, one that was put aside, one that another worker gave. `history` holds its
    /// branches, the latest last; where it was cut short, subpath strategies take it for a shorter path.
    fn add(&mut self, path: PathId, history: &[Branch], metrics: &mut dyn Metrics);
    /// A path became several. It is no longer pending, unless one of the children goes on under its number.
    fn fork(&mut self, parent: PathId, children: &[(PathId, Branch)], metrics: &mut dyn Metrics);
    /// A path ran on without a fork, and is pending again.
    fn update(&mut self, _path: PathId, _metrics: &mut dyn Metrics) {}
    /// A path ended, or is pending elsewhere.
    fn remove(&mut self, path: PathId);
    /// The path to run next; it stays pending. `None` if nothing is.
    fn select(&mut self, metrics: &mut dyn Metrics) -> Option<PathId>;
    /// A path is about to run: this strategy selected it, or another one that it takes turns with.
    fn chosen(&mut self, _path: PathId) {}
    /// All pending paths, the least promising first. For the rare moments in which states are put aside: takes time
    /// linear in their number, or a little more.
    fn ranking(&self) -> Vec<PathId>;
}
