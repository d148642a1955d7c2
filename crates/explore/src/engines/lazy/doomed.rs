//! Where a call is sure not to return, as behind a message that says what is wrong with the input: a path through it needs no further conditions,
//! whatever happens there until the program ends. So what is done there neither counts as an effect nor makes several paths of one.

use std::ops::ControlFlow;

use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, Fork, Question, State};

use super::Lazy;
use super::abstraction::{Abstract, Came};
use super::concretise::go_own_way;
use super::long::Way;
use crate::drive::onward::Onward;
use crate::drive::{Decide, SLICE, Step, drive_on};
use crate::session::Session;

impl Lazy {
    /// Whether a path stands where it does not return to this activation any more.
    pub fn is_doomed(&self, session: &Session, state: &State, back_in: u64) -> bool {
        let mut places = state.places_within(&session.machine.executor.image, back_in);
        places.any(|(function, block, _)| !self.returns.may_from(function, block))
    }

    /// A path through a call ends, somehow. If all is known of it, it is followed as its inputs say, to see whether something is wrong there.
    pub fn run_out(
        &mut self,
        session: &mut Session,
        along: Abstract,
        pause: Pause,
        stop: &mut dyn FnMut() -> bool,
    ) -> Came {
        let somehow = Ended::Exited(0);
        if along.events.len() > 0 {
            return Came::Ended(Box::new(along), somehow);
        }
        let standing = Box::new(along.clone());
        if stop() {
            return Came::Stopped(standing);
        }
        let mut doomed = Doomed { way: Way::new(self), lazy: self, along, pauses: Pauses::default(), stop };
        let out = drive_on(session, &mut doomed, pause);
        let along = Box::new(doomed.along);
        match out {
            Out::Ended(ended) => Came::Ended(along, ended),
            Out::Somehow => Came::Ended(standing, somehow),
            Out::Stopped => Came::Stopped(standing),
            Out::Back => Came::Back(along),
        }
    }
}

/// A path that does not return to the call any more.
struct Doomed<'a> {
    lazy: &'a mut Lazy,
    along: Abstract,
    pauses: Pauses,
    way: Way,
    stop: &'a mut dyn FnMut() -> bool,
}

/// What became of it.
enum Out {
    Ended(Ended),
    /// Nobody knows how it ends, or it takes long.
    Somehow,
    Stopped,
    Back,
}

impl Doomed<'_> {
    /// Goes where its inputs lead.
    fn go(&mut self, session: &mut Session, way: Onward) -> Step<Out> {
        let (condition, ended) = go_own_way(session, &mut self.along.path, way);
        // What stands for something that nobody knows decides nothing.
        let is_unknown = condition.is_some_and(|condition| !self.lazy.fresh_in(session, condition).is_empty());
        match ended {
            Some(ended) if !is_unknown => ControlFlow::Break(Out::Ended(ended)),
            None if !is_unknown => ControlFlow::Continue(()),
            _ => ControlFlow::Break(Out::Somehow),
        }
    }
}

impl Decide for Doomed<'_> {
    type End = Out;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.along.path.state, Some(&self.pauses))
    }

    fn grant(&mut self, session: &mut Session) -> ControlFlow<Out, u64> {
        let is_over = session.config.limits.after_steps(&self.along.path).is_some();
        match is_over || self.way.is_long(self.lazy) {
            true => ControlFlow::Break(Out::Somehow),
            false => ControlFlow::Continue(SLICE),
        }
    }

    fn executed(&mut self, session: &mut Session, steps: u64, pause: Pause) -> ControlFlow<Out, Pause> {
        self.way.add(self.lazy, steps);
        self.lazy.note_choices(session, &mut self.along);
        if (self.stop)() { ControlFlow::Break(Out::Stopped) } else { ControlFlow::Continue(pause) }
    }

    fn fork(&mut self, session: &mut Session, fork: Fork) -> Step<Out> {
        self.go(session, Onward::Fork(fork))
    }

    fn ask(&mut self, session: &mut Session, question: Question) -> Step<Out> {
        self.go(session, Onward::Ask(question))
    }

    fn over(&mut self, _: &mut Session, ended: Ended) -> Step<Out> {
        ControlFlow::Break(Out::Ended(ended))
    }

    fn back(&mut self, _: &mut Session) -> Step<Out> {
        ControlFlow::Break(Out::Back)
    }
}
