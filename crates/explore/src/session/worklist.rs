//! Pending paths: the board that holds them, the frontier that chooses among them, and what of them is undecided or put aside.

use symcrete_exec::Executor;
use symcrete_expr::Arena;
use symcrete_solver::Random;

use crate::path::Parked;
use crate::path::Path;
use crate::path::aside::Aside;
use crate::path::board::{Board, Pending};
use crate::path::memory::Budget;
use crate::path::packing::Unpacker;
use crate::path::saved::Saved;
use crate::path::strategy::{Frontier, PathId};
use crate::session::Session;

pub struct Worklist {
    pub frontier: Frontier,
    pub board: Board,
    pub budget: Budget,
    /// Sides of forks that nobody could decide.
    pub parked: Vec<Parked>,
    /// Chooses what comes back from the reserve.
    pub reserve_random: Random,
    /// Paths that cannot come to a target, by the graph, are not followed.
    pub prunes: bool,
    /// Whether the graph tells which paths those are.
    pub knows_ways: bool,
    /// Marks of coverage that the distances know of.
    pub marks: u64,
}

/// With fewer paths than this to choose among, strategies get some back that they had no room for.
const FEW: usize = 64;

impl Worklist {
    /// Nobody can tell whether a path is possible: it is tried again when nothing else is left.
    pub fn park(&mut self, path: &Path) {
        self.parked.push(Parked { decisions: path.decisions.to_bytes(), depth: path.depth, tries: 0 });
    }

    pub fn end(&mut self, id: PathId) {
        self.frontier.remove(id);
        self.board.free(id);
    }

    pub fn add(&mut self, pending: Pending, executor: &Executor) {
        let id = self.board.insert(pending);
        self.frontier.add(id, &[], &mut self.board.metrics(executor));
    }

    /// How many paths are pending.
    pub fn pending(&self) -> usize {
        self.frontier.len()
    }

    /// Gives a pending path away.
    pub fn donate(&mut self, arena: &Arena) -> Option<Aside> {
        let id = self.frontier.shallowest()?;
        let pending = self.board.take(id)?;
        self.end(id);
        Some(packed(pending, arena))
    }

    /// Pending paths whose states are there, the least promising first.
    pub fn least_promising(&self, count: usize) -> Vec<PathId> {
        self.frontier.least_promising(count, |id| self.board.path(id).is_some())
    }

    /// Writes down what is pending, if there is a journal that stays.
    pub fn write_down(&mut self, arena: &Arena) {
        self.board.bring_up_to_date(|path| Aside::of(path, arena));
    }

    /// Nothing is pending any more.
    pub fn forget(&mut self) {
        while let Some(id) = self.frontier.shallowest() {
            self.board.take(id);
            self.end(id);
        }
        self.board.drain();
        self.parked.clear();
    }

    /// All that is pending, for another time, where there is no journal that stays.
    pub fn pack(&mut self, arena: &Arena) -> Vec<Aside> {
        let pending = self.board.drain();
        pending.into_iter().map(|pending| packed(pending, arena)).collect()
    }
}

fn packed(pending: Pending, arena: &Arena) -> Aside {
    match pending {
        Pending::Live(path) => Aside::of(&path, arena),
        Pending::Aside(aside) => aside,
    }
}

impl Session {
    pub fn add(&mut self, pending: Pending) {
        self.worklist.add(pending, &self.machine.executor);
    }

    /// Makes the beginnings pending.
    pub fn begin(&mut self) {
        for root in 0..self.machine.roots.len() {
            let path = Path::new(self.machine.roots[root].clone(), root);
            self.add(Pending::Live(Box::new(path)));
        }
    }

    /// Goes on with a search that was stopped.
    pub fn resume(&mut self, saved: Saved) {
        self.machine.executor.coverage.merge(saved.covered);
        self.suite.covered.merge(saved.suite);
        self.worklist.parked.extend(saved.undecided);
        for aside in saved.frontier {
            self.add(Pending::Aside(aside));
        }
    }

    /// A path that stands in the log of an earlier search; `false` if it makes no sense.
    pub(crate) fn adopt(&mut self, bytes: &[u8]) -> bool {
        let Some(aside) = Aside::unpack(&mut Unpacker::new(bytes)) else { return false };
        if self.has_room() || !self.worklist.board.put_in_reserve(bytes) {
            self.add(Pending::Aside(aside));
        }
        true
    }

    /// Before a path is chosen: distances learn what was covered, and memory is freed if it takes too much.
    pub(crate) fn keep_house(&mut self) {
        self.follow_coverage();
        self.keep_within_budget();
    }

    /// The pending path to go on with.
    pub(crate) fn select(&mut self) -> Option<PathId> {
        if self.worklist.board.reserved() > 0 && self.worklist.frontier.len() < FEW && !self.call_up() {
            return None;
        }
        self.choose()
    }
}

#[cfg(test)]
mod tests {
    use crate::session::config::Config;
    use crate::session::test_support::session;

    #[test]
    fn what_is_given_away_is_not_pending_any_more() {
        let mut session = session(Config::default());
        session.begin();
        assert_eq!(session.worklist.pending(), 1);
        let arena = &session.machine.executor.arena;
        assert!(session.worklist.donate(arena).is_some());
        assert_eq!(session.worklist.pending(), 0);
        assert!(session.worklist.donate(arena).is_none());
    }

    #[test]
    fn what_was_packed_comes_back() {
        let mut session = session(Config::default());
        session.begin();
        let packed = session.worklist.pack(&session.machine.executor.arena);
        assert_eq!(packed.len(), 1);
        let mut followed = session.follow(&packed[0].decisions, &mut || false);
        assert!(matches!(&mut followed, crate::drive::follow::Followed::To(path, None) if path.depth == 0));
    }

    #[test]
    fn nothing_is_pending_once_all_is_forgotten() {
        let mut session = session(Config::default());
        session.begin();
        session.worklist.forget();
        assert_eq!((session.worklist.pending(), session.worklist.board.pending()), (0, 0));
        assert!(session.select().is_none());
    }
}
