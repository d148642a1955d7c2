//! Where a call is sure not to return, as behind a message that says what is wrong with the input: a path through it needs no further conditions,
//! whatever happens there until the program ends. So what is done there neither counts as an effect nor makes several paths of one.

use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, State};

use super::Lazy;
use super::abstraction::{Abstract, Came};
use super::concretise::go_own_way;
use super::long::Way;
use crate::drive::onward::Onward;
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
        mut along: Abstract,
        mut pause: Pause,
        stop: &mut dyn FnMut() -> bool,
    ) -> Came {
        let somehow = Ended::Exited(0);
        if along.events.len() > 0 {
            return Came::Ended(Box::new(along), somehow);
        }
        let standing = along.clone();
        let mut way = Way::new(self);
        loop {
            if stop() {
                return Came::Stopped(Box::new(standing));
            }
            let path = &mut along.path;
            let outcome = match pause {
                Pause::Outcome(outcome) => Some(outcome),
                Pause::Call(_) => session.machine.executor.enter_call(&mut path.state),
                Pause::Back => return Came::Back(Box::new(along)),
            };
            if let Some(outcome) = outcome {
                let way = Onward::after(&mut session.machine.executor, &mut path.state, outcome);
                let (condition, ended) = go_own_way(session, path, way);
                // What stands for something that nobody knows decides nothing.
                let is_unknown = condition.is_some_and(|condition| !self.fresh_in(session, condition).is_empty());
                match ended {
                    Some(ended) if !is_unknown => return Came::Ended(Box::new(along), ended),
                    None if !is_unknown => {}
                    _ => return Came::Ended(Box::new(standing), somehow),
                }
            }
            if session.config.limits.after_steps(&along.path).is_some() || way.is_long(self) {
                return Came::Ended(Box::new(standing), somehow);
            }
            let before = along.path.state.steps;
            pause = session.machine.executor.run_pausing(&mut along.path.state, 100_000, &Pauses::default());
            session.meter.counts.instructions += along.path.state.steps - before;
            way.add(self, along.path.state.steps - before);
            self.note_choices(session, &mut along);
        }
    }
}
