//! Runs that are long, or never end. They must not keep others from being tried, and must come to their end if they have one: so a run goes on in
//! turns, each twice as long as the one before, and all long runs together do about as much as all others. That is counted in what they do,
//! never in time. While it waits, such a run is on the board, and no strategy is asked about it.

use std::collections::VecDeque;

use super::Concolic;
use super::Run;
use crate::path::Path;
use crate::path::UnderWay;
use crate::path::board::Pending;
use crate::path::decisions::Decisions;
use crate::path::packing::Unpacker;
use crate::path::strategy::PathId;
use crate::session::Session;

/// What a run may do in its first turn, in instructions.
pub const TURN: u64 = 4_000_000;
/// A place where inputs decide counts as so many; so does another way from there, which is kept with its state.
pub const DECISION: u64 = 64;
pub const NEGATION: u64 = 1000;
/// So many of these end a turn, however long it may be.
pub const MOST_NEGATIONS: usize = 1024;
/// What is counted for finding the inputs of a run.
const QUESTION: u64 = 10_000;
/// How often turns become longer.
const MOST_DOUBLINGS: u32 = 30;

/// The runs that wait for their next turn, and what was done for them and for others.
#[derive(Default)]
pub struct LongRuns {
    waiting: VecDeque<PathId>,
    own: u64,
    others: u64,
    /// Whether another one comes first, because one was just put off.
    is_fresh: bool,
}

impl LongRuns {
    /// Another run begins.
    pub fn begin_other(&mut self) {
        self.is_fresh = false;
    }

    /// It had its first turn.
    pub fn charge_others(&mut self, spent: u64) {
        self.others += spent + QUESTION;
    }
}

impl Concolic {
    /// A run stays on the board until its next turn.
    pub(super) fn put_off(
        &mut self,
        session: &mut Session,
        id: PathId,
        mut path: Path,
        diverged: bool,
        firm: Decisions,
    ) {
        let turns = path.under_way.map_or(0, |before| before.turns);
        path.under_way = Some(UnderWay { turns: turns + 1, diverged, firm });
        session.worklist.board.put(id, Pending::Live(Box::new(path)));
    }

    /// Nobody but the long runs themselves chooses it until then.
    pub(super) fn wait(&mut self, session: &mut Session, id: PathId) {
        session.worklist.frontier.remove(id);
        self.long_runs.waiting.push_back(id);
        self.long_runs.is_fresh = true;
    }

    /// Goes on with the run that waited longest, if it is its turn.
    pub(crate) fn go_on_with_long_run(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) -> bool {
        let LongRuns { waiting, own, others, is_fresh } = &mut self.long_runs;
        if (own > others || *is_fresh) && !session.worklist.frontier.is_empty() {
            return false;
        }
        let Some(id) = waiting.pop_front() else { return false };
        session.worklist.frontier.add(id, &[], &mut session.worklist.board.metrics(&session.machine.executor));
        let Some(Pending::Live(path)) = session.worklist.board.take(id) else {
            unreachable!("{id} waits and is not on the board")
        };
        let under_way = path.under_way.clone().expect("what waits is a run under way");
        let mut run = Run::new(*path, Unpacker::new(&[]));
        (run.diverged, run.firm) = (under_way.diverged, under_way.firm);
        run.known = run.path.conditions.iter().collect();
        run.allowed = TURN << under_way.turns.min(MOST_DOUBLINGS);
        let spent = self.run_turn(session, id, run, stop).expect("nothing is foreseen any more");
        self.long_runs.own += spent;
        true
    }
}
