//! What an engine is. An engine explores the program in its own way: by symbolic states, whole runs, local search, backward from a target. To add
//! one, implement this trait in a module of `engines/` and add a row to the table in `schedule/policy.rs`. `random.rs` is a small one.
//!
//! The contract:
//!
//! - One engine belongs to one worker, on one thread. All that engines share is in the session, which the worker lends for a turn.
//! - Tests, findings and other events go to the session, which passes them on. An engine prints nothing.
//! - A turn is short: at most about a tenth of a second. When the session's `stop` is set, the engine returns soon, and what is pending stays so.
//! - Nothing but `stop` depends on the clock: an engine counts its work and that of others (queries, instructions). With the same seed it
//!   does the same.
//! - Coverage in the session is what tests execute. An engine that executes anything else keeps it apart and puts the session's back.
//! - An engine uses no other engine's module. What two of them need is in `session/`, `path/`, `drive/` or `local_search/`.

use crate::report::summary::{Progress, Summary};
use crate::session::Session;
use crate::session::event::Event;

/// The result of a turn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The engine worked and has more to do at once.
    Progress,
    /// It has nothing to do before others have worked.
    Idle,
    /// Nothing is pending. It may be asked again, because others may find work for it.
    Done,
}

pub trait Engine {
    /// Works for a while.
    fn turn(&mut self, session: &mut Session) -> Turn;

    /// Hears of what any engine found.
    fn notify(&mut self, _event: &Event) {}

    /// All searches are done. Whether this engine goes on alone; `is_open`: something was left undecided.
    fn stays(&mut self, _is_open: bool) -> bool {
        false
    }

    /// The search is over, or was stopped: reports what can still be told of pending work.
    fn leave(&mut self, _session: &mut Session, _is_stopped: bool) {}

    /// Adds what it did so far.
    fn progress(&self, _progress: &mut Progress) {}

    /// Adds its results. Called once, after `leave`.
    fn summarize(&mut self, _session: &Session, _summary: &mut Summary) {}
}
