//! Abstract paths that take more than was allowed are put off, and taken up with eight times as much, in their turn: while paths are few, when nothing
//! else is pending; once they are many, with a share of the work, for the rest may have no end. They are kept without their states, which take much
//! memory when calls leave whole buffers: most turn out to be none of the program's. One that is followed after all is executed once more, as its model says.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use symcrete_exec::Ended;
use symcrete_expr::Expr;

use super::Lazy;
use super::abstraction::{Abstract, Came};
use super::order::MANY;
use crate::path::Path;
use crate::session::Session;

/// Of all questions, one in so many is about paths that were put off.
const SHARE: u64 = 4;

/// Paths that wait until more is allowed for them; those that ended, with their ends.
#[derive(Default)]
pub struct Later {
    waiting: VecDeque<(Abstract, Option<Ended>)>,
    questions: u64,
}

impl Later {
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    pub fn clear(&mut self) {
        self.waiting.clear();
    }

    /// A path takes long on its way: it goes on from where it is.
    pub fn push(&mut self, mut along: Abstract) {
        along.tries += 1;
        self.waiting.push_back((along, None));
    }
}

/// Up to where a path is executed once more.
pub struct Replay {
    /// How many conditions it had met.
    met: usize,
    /// Those of them that did not follow from others.
    added: FxHashSet<Expr>,
}

impl Replay {
    /// Whether a condition follows from those before it.
    pub fn is_implied(&self, condition: Expr) -> bool {
        !self.added.contains(&condition)
    }

    pub fn is_over(&self, along: &Abstract) -> bool {
        along.met.len() >= self.met
    }
}

impl Lazy {
    /// A path takes more than was allowed: the beginning of one, or one that ended.
    pub fn put_off(&mut self, session: &Session, mut along: Abstract, ended: Option<Ended>) {
        // Where values were tried one after the other, the model knows only the last of them. Where a path ended does not matter any more.
        if !along.has_tried || ended.is_some() {
            along.path.state = session.roots()[0].clone();
            along.is_bare = true;
        }
        along.tries += 1;
        self.later.waiting.push_back((along, ended));
    }

    /// Whether it is the turn of paths that were put off.
    pub fn is_time_for_later(&self, session: &Session) -> bool {
        let is_their_share = self.later.questions * SHARE <= session.machine.chain.statistics().queries;
        let is_all = self.pending.is_empty() && self.ended.is_empty();
        self.later.len() > 0 && (is_all || is_their_share && self.counts.abstract_paths >= MANY)
    }

    /// Takes up the path that waits the longest.
    pub fn take_up_later(&mut self, session: &mut Session, stop: &mut dyn FnMut() -> bool) {
        let Some((along, ended)) = self.later.waiting.pop_front() else { return };
        let asked = session.machine.chain.statistics().queries;
        match ended {
            Some(ended) if !along.is_dead() => self.conclude(session, along, ended, stop),
            Some(_) => {}
            None => self.go_on(session, along, stop),
        }
        self.later.questions += session.machine.chain.statistics().queries - asked;
    }

    /// A path that was put off, with the state in which it was.
    pub fn take_up(
        &mut self,
        session: &mut Session,
        mut along: Abstract,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Abstract, Came> {
        if !along.is_bare {
            return Ok(along);
        }
        let mut again = Abstract::new(Path::new(session.roots()[0].clone(), 0), along.level);
        again.path.model = along.path.model.clone();
        again.replay = Some(Rc::new(Replay { met: along.met.len(), added: along.added.iter().collect() }));
        let ended = self.ended.len();
        let came = self.advance(session, again, None, stop);
        self.ended.truncate(ended);
        match came {
            Came::Forked(mut ways) if ways.len() == 1 => {
                along.path.state = ways.swap_remove(0).path.state;
                along.is_bare = false;
                Ok(along)
            }
            Came::Stopped(_) => Err(Came::Stopped(Box::new(along))),
            Came::Lost(lost) => Err(Came::Lost(lost)),
            _ => Err(Came::Undecided),
        }
    }
}
