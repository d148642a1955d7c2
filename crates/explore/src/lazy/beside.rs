//! Whole paths beside abstract ones. Where calls hang together a lot, abstract paths come slowly, and forward search may have executed code by then that
//! no test executes yet. So once lazy expansion takes long, forward search has turns, with a share of the work that grows smaller while its turns bring
//! nothing. Of its paths those have a test that cover something new, or go wrong; they are counted apart. If it comes to an end, nothing is left in doubt
//! of which a whole path would have told.

use symcrete_exec::Class;

use super::Lazy;
use super::work::{questions, work};
use crate::forward::{Counts, Event, Explorer};

/// Work after which lazy expansion takes long.
const LONG: u64 = 10_000;
/// Work in one turn.
const TURN: u64 = 2_000;
/// Of the work of lazy expansion, forward search does at least and at most one part in so many.
const LEAST: u64 = 64;
const MOST: u64 = 4;
/// What it does at the end, when lazy expansion is done: for what goes wrong in calls, and branches there that no test takes; and if something is
/// left open or in doubt.
const AT_END: u64 = 20_000;
const IN_DOUBT: u64 = 100_000;

/// How far forward search is.
pub struct Beside {
    has_begun: bool,
    /// What is left is not followed any more.
    is_over: bool,
    /// All were followed.
    is_all: bool,
    /// None was cut short, and nothing on their ways was made up.
    is_exact: bool,
    /// The part of the work that it has, as above.
    part: u64,
    work: u64,
    questions: u64,
    pub paths: u64,
}

impl Default for Beside {
    fn default() -> Beside {
        Beside {
            has_begun: false,
            is_over: false,
            is_all: false,
            is_exact: true,
            part: MOST,
            work: 0,
            questions: 0,
            paths: 0,
        }
    }
}

impl Beside {
    /// What it asked.
    pub fn questions(&self) -> u64 {
        self.questions
    }
}

impl Lazy {
    /// Whether it is the turn of whole paths.
    pub fn is_time_for_whole_paths(&self, explorer: &Explorer) -> bool {
        let (of_all, own) = (work(explorer), self.beside.work);
        self.may_follow_whole_paths() && of_all - own > LONG && own * self.beside.part <= of_all - own
    }

    /// Whether whole paths are followed when nothing else is left to do.
    pub fn ends_with_whole_paths(&self) -> bool {
        let most = if self.is_in_doubt() || self.all_counts().left_open() > 0 { IN_DOUBT } else { AT_END };
        self.may_follow_whole_paths() && self.beside.work < most
    }

    fn may_follow_whole_paths(&self) -> bool {
        self.config.deeper && self.config.only.is_none() && !self.beside.is_over
    }

    /// Whether all paths of the program were followed to their ends.
    pub fn has_followed_all(&self) -> bool {
        self.beside.is_all
    }

    /// Follows whole paths for one turn.
    pub fn follow_whole_paths(&mut self, explorer: &mut Explorer, stop: &mut dyn FnMut() -> bool) {
        if !self.beside.has_begun {
            self.beside.has_begun = true;
            explorer.begin();
        }
        let (before, begin) = (explorer.counts, work(explorer));
        let (queries, asked) = (explorer.chain.statistics().queries, questions(&explorer.chain));
        let every_path = explorer.config.every_path;
        explorer.config.every_path = false;
        let first = explorer.events_so_far();
        let mut goes_on = true;
        while goes_on && !stop() && work(explorer) - begin < TURN {
            goes_on = explorer.step(stop) || explorer.retry(stop);
        }
        explorer.config.every_path = every_path;
        let mut is_exact = true;
        let is_new = explorer.keep_events(first, |event| match event {
            Event::Path(report) => {
                report.is_extra = true;
                report.covers_new || report.ended.class() == Class::Finding
            }
            _ => {
                is_exact = false;
                true
            }
        });
        let after = explorer.counts;
        let (instructions, forks, segments) = (after.instructions, after.forks, after.segments);
        explorer.counts = Counts { instructions, forks, segments, ..before };
        self.deeper.allow_more(explorer.chain.statistics().queries - queries);
        let is_parked = explorer.parked() > 0;
        let beside = &mut self.beside;
        beside.paths += after.paths() - before.paths();
        beside.work += work(explorer) - begin;
        beside.questions += questions(&explorer.chain) - asked;
        beside.part = if is_new { MOST } else { (beside.part * 2).min(LEAST) };
        beside.is_exact &= is_exact && after.partial == before.partial;
        if !goes_on && !stop() {
            beside.is_over = true;
            beside.is_all = beside.is_exact && !is_parked;
            if beside.is_all {
                self.leave_no_doubt();
            }
        }
    }

    /// Nothing more is to be done: whole paths that are pending are forgotten.
    pub fn leave_whole_paths(&mut self, explorer: &mut Explorer) {
        if self.beside.has_begun {
            self.beside.is_over = true;
            explorer.forget_pending();
        }
    }
}
