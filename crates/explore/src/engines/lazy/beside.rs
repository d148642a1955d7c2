//! Whole paths beside abstract ones. Where calls hang together a lot, abstract paths come slowly, and forward search may have executed code by then that
//! no test executes yet. So once lazy expansion takes long, forward search has turns, with a share of the work that grows smaller while its turns bring
//! nothing; but it has as much as lazy expansion while that brings no test either. Of its paths those have a test that execute code or take branches
//! that no other test does, or go wrong; they are counted apart. If it comes to an end, nothing is left in doubt of which a whole path would have told.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use symcrete_exec::Class;
use symcrete_exec::coverage::{Coverage, Mark};
use symcrete_ir::{EdgeId, FuncId};

use super::Lazy;
use super::plainly::FEW;
use crate::engines::forward::Forward;
use crate::session::Session;
use crate::session::event::Event;
use crate::session::meter::Counts;

/// Work after which lazy expansion takes long.
const LONG: u64 = 10_000;
/// And after which it brings nothing.
const BARREN: u64 = 50_000;
/// Work in one turn.
const TURN: u64 = 2_000;
/// Of the work of lazy expansion, forward search does at least and at most one part in so many.
const LEAST: u64 = 64;
const MOST: u64 = 4;
/// What it does without finding code, if lazy expansion is done by then: for what goes wrong in calls, and code there that no test executes; and if
/// something is left open or in doubt.
const AT_END: u64 = 20_000;
const IN_DOUBT: u64 = 100_000;

/// How far forward search is.
pub struct Beside {
    forward: Forward,
    /// What its paths execute, and what those do that were tests if there were no others; none before it begins.
    world: Option<(Coverage, Coverage)>,
    /// Lazy expansion is done.
    is_end: bool,
    /// What is left is not followed any more.
    is_over: bool,
    /// All were followed.
    is_all: bool,
    /// None was cut short, and nothing on their ways was made up.
    is_exact: bool,
    /// The part of the work that it has, as above.
    part: u64,
    work: u64,
    /// Of that, before the latest turn that found code.
    fruitful: u64,
    /// The work of lazy expansion when it last had a path.
    told: u64,
    questions: u64,
    pub paths: u64,
}

impl Default for Beside {
    fn default() -> Beside {
        Beside {
            forward: Forward::default(),
            world: None,
            is_end: false,
            is_over: false,
            is_all: false,
            is_exact: true,
            part: MOST,
            work: 0,
            fruitful: 0,
            told: 0,
            questions: 0,
            paths: 0,
        }
    }
}

/// The result of a turn.
struct Turn {
    finds_code: bool,
    /// Nothing on its paths was made up.
    is_exact: bool,
    /// Nothing is left to be followed.
    is_last: bool,
}

impl Beside {
    /// Follows paths for a while. What they execute, and what would be a test if there were no others, counts for nothing else.
    fn turn(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) -> Turn {
        let made = || (Coverage::new(&session.machine.executor.image), Coverage::new(&session.machine.executor.image));
        let (mut executed, mut suite) = self.world.take().unwrap_or_else(made);
        std::mem::swap(&mut session.machine.executor.coverage, &mut executed);
        std::mem::swap(&mut session.suite.covered, &mut suite);
        let every_path = std::mem::replace(&mut session.config.every_path, false);
        let begin = session.work();
        let mut turn = Turn { finds_code: false, is_exact: true, is_last: false };
        while !turn.is_last && !stop() && session.work() - begin < TURN {
            let first = session.suite.events_so_far();
            turn.is_last = !self.forward.step(session, stop) && !session.retry(stop);
            if session.suite.events_so_far() == first {
                continue;
            }
            let new = new_marks(session, &suite, self.is_end);
            suite.merge(new.iter().copied());
            executed.merge(new.iter().copied());
            turn.finds_code |= !new.is_empty();
            session.suite.keep_events(first, |event| match event {
                Event::Path(report) => {
                    report.is_extra = true;
                    report.covers_new &= !new.is_empty();
                    report.covers_new || report.ended.class() == Class::Finding
                }
                _ => {
                    turn.is_exact = false;
                    true
                }
            });
        }
        session.config.every_path = every_path;
        std::mem::swap(&mut session.machine.executor.coverage, &mut executed);
        std::mem::swap(&mut session.suite.covered, &mut suite);
        self.world = Some((executed, suite));
        turn
    }

    /// What it asked.
    pub fn questions(&self) -> u64 {
        self.questions
    }
}

impl Lazy {
    /// Whether it is the turn of whole paths.
    pub fn is_time_for_whole_paths(&self, session: &Session) -> bool {
        let (own, of_lazy) = (self.beside.work, self.own_work(session));
        let part = if of_lazy - self.beside.told > BARREN { 1 } else { self.beside.part };
        self.may_follow_whole_paths() && of_lazy > LONG && own * part <= of_lazy
    }

    fn own_work(&self, session: &Session) -> u64 {
        session.work() - self.beside.work
    }

    /// Lazy expansion has a path of the program.
    pub fn note_path(&mut self, session: &Session) {
        self.beside.told = self.own_work(session);
    }

    /// Whether whole paths are followed now that nothing else is left to do.
    pub fn ends_with_whole_paths(&mut self) -> bool {
        self.beside.is_end = true;
        let most = if self.is_in_doubt() || self.all_counts().left_open() > 0 { IN_DOUBT } else { AT_END };
        self.may_follow_whole_paths() && self.beside.work - self.beside.fruitful < most
    }

    fn may_follow_whole_paths(&self) -> bool {
        self.config.deeper && !self.beside.is_over
    }

    /// Whether all paths of the program were followed to their ends.
    pub fn has_followed_all(&self) -> bool {
        self.beside.is_all
    }

    /// Follows whole paths for one turn.
    pub fn follow_whole_paths(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) {
        if self.beside.world.is_none() {
            session.begin();
        }
        let (before, begin) = (session.meter.counts, session.work());
        let (queries, asked) = (session.machine.chain.statistics().queries, session.machine.queries());
        let turn = self.beside.turn(session, stop);
        let after = session.meter.counts;
        let (instructions, forks, segments) = (after.instructions, after.forks, after.segments);
        session.meter.counts = Counts { instructions, forks, segments, ..before };
        self.deeper.allow_more(session.machine.chain.statistics().queries - queries);
        let beside = &mut self.beside;
        beside.paths += after.paths() - before.paths();
        beside.work += session.work() - begin;
        beside.questions += session.machine.queries() - asked;
        (beside.part, beside.fruitful) = match turn.finds_code {
            true => (MOST, beside.work),
            false => ((beside.part * 2).min(LEAST), beside.fruitful),
        };
        beside.is_exact &= turn.is_exact && after.partial == before.partial;
        if turn.is_last && !stop() {
            beside.is_over = true;
            beside.is_all = beside.is_exact && session.worklist.parked.is_empty();
            if beside.is_all {
                // If they are few, they settle what abstract paths left open as well.
                self.has_tried_all &= beside.paths > FEW as u64;
                self.leave_no_doubt();
            }
        }
    }

    /// Nothing more is to be done: whole paths that are pending are forgotten.
    pub fn leave_whole_paths(&mut self, session: &mut Session) {
        if self.beside.world.is_some() {
            self.beside.is_over = true;
            session.worklist.forget();
        }
    }
}

/// What tests of forward search do that no test of a suite does: code that they execute, by the branches that lead there; and if not only that is wanted,
/// all branches and choices. Once lazy expansion is done, branches inside of calls do not matter.
fn new_marks(session: &Session, suite: &Coverage, only_code: bool) -> Vec<Mark> {
    let program = &session.machine.executor.image.program;
    let mut known: FxHashMap<FuncId, Vec<bool>> = FxHashMap::default();
    let mut leads_to_known = |function: FuncId, edge: EdgeId| {
        let blocks = known.entry(function).or_insert_with(|| suite.blocks(program, function));
        let body = program.functions[function].body.as_ref();
        body.is_some_and(|body| blocks[body.edges[edge].target.index()])
    };
    let is_wanted = |mark: &Mark| match *mark {
        _ if suite.is_marked(*mark) => false,
        Mark::Entered(function) => !program.functions[function].runtime,
        Mark::Taken(function, edge) => {
            !(program.functions[function].runtime || only_code && leads_to_known(function, edge))
        }
        Mark::Chosen(..) => !only_code,
    };
    session.suite.covered.marked().filter(is_wanted).collect()
}
