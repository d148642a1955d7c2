//! Counts what was done, and says what it costs. Nobody looks at a clock, so that the same search takes the same turns.

use symcrete_solver::Chain;
use symcrete_solver::chain::Stage;

/// How many paths there were, by what became of them.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Came to the program's own end.
    pub completed: u64,
    /// Ended in a bug of the program.
    pub failed: u64,
    /// Ended at a limit of ours or the user's.
    pub partial: u64,
    /// Ended by an assumption of the program.
    pub discarded: u64,
    pub forks: u64,
    pub instructions: u64,
    /// Straight lines between two places where inputs decide, or from there to the end of a path.
    pub segments: u64,
    /// Executions of the program, or of a function in its context, from beginning to end; where paths fork, nobody counts.
    pub iterations: u64,
    /// Runs that left the way that was foreseen.
    pub divergences: u64,
    /// Conditions of which only a part was kept.
    pub simplified: u64,
    /// The sum of a hash of the decisions of each path that is over: two searches with the same sum came to the same paths, in whatever
    /// order.
    pub digest: u64,
}

impl Counts {
    /// Paths of the program that are over.
    pub fn paths(&self) -> u64 {
        self.completed + self.failed + self.partial
    }

    pub fn add(&mut self, other: &Counts) {
        self.completed += other.completed;
        self.failed += other.failed;
        self.partial += other.partial;
        self.discarded += other.discarded;
        self.forks += other.forks;
        self.instructions += other.instructions;
        self.segments += other.segments;
        self.iterations += other.iterations;
        self.divergences += other.divergences;
        self.simplified += other.simplified;
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

/// What a worker did.
#[derive(Default)]
pub struct Meter {
    pub counts: Counts,
    /// Instructions of runs that looked for uses of what nobody wrote.
    pub looked: u64,
}

/// What a query that comes to the backends costs beside one that is answered at once, and what one without an answer does.
const ASKED: u64 = 20;
const UNKNOWN: u64 = 100;
/// Instructions that cost as much as one query that is answered at once.
const INSTRUCTIONS: u64 = 1_000;

/// The same where each backend counts for itself, for the backward search: a query to the first one, a query to another, and one that a backend gave up.
const QUICK: u64 = 2;
const SLOW: u64 = 10;
const GAVE_UP: u64 = 50;
/// Instructions that cost as much as such a query.
pub const INSTRUCTIONS_OF_QUERY: u64 = 20_000;

impl Meter {
    /// All that was done so far, in queries that are answered at once.
    pub fn work(&self, chain: &Chain) -> u64 {
        queries(chain) + self.counts.instructions / INSTRUCTIONS
    }

    /// The same by the prices of the backward search.
    pub fn work_by_backend(&self, chain: &Chain) -> u64 {
        queries_by_backend(chain) + self.counts.instructions / INSTRUCTIONS_OF_QUERY
    }
}

/// What the queries so far cost.
pub fn queries(chain: &Chain) -> u64 {
    let asked = chain.statistics();
    asked.queries + ASKED * asked.stage(Stage::Backends).asked + UNKNOWN * asked.unknown
}

/// The same by backend.
pub fn queries_by_backend(chain: &Chain) -> u64 {
    let statistics = chain.statistics();
    let asked = statistics.backends.iter().enumerate().map(|(at, backend)| {
        let each = if at == 0 { QUICK } else { SLOW };
        each * backend.queries + GAVE_UP * backend.unknown
    });
    statistics.queries + asked.sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_cost_work() {
        let chain = Chain::new(symcrete_solver::Config::default());
        let mut meter = Meter::default();
        assert_eq!(meter.work(&chain), 0);
        meter.counts.instructions = 40_000;
        assert_eq!((meter.work(&chain), meter.work_by_backend(&chain)), (40, 2));
    }

    #[test]
    fn counts_add_up() {
        let one = Counts { completed: 1, failed: 2, digest: u64::MAX, ..Counts::default() };
        let mut sum = one;
        sum.add(&one);
        assert_eq!((sum.paths(), sum.digest), (6, u64::MAX.wrapping_mul(2)));
    }
}
