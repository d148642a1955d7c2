//! One concrete run. Where the program's way depends on bits that nobody wrote, the run goes on with the bits that stand
//! there, as the machine does, and says so once for each place.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use symcrete_exec::diagnose::Origin;
use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, Executor, Fork, Outcome, Question, StackEntry, State};
use symcrete_expr::Value;
use symcrete_ir::LocId;

use crate::drive::{Decide, Step, drive};

/// The program used a value that was never written.
#[derive(Clone, Debug)]
pub struct UninitialisedUse {
    pub used_for: UsedFor,
    /// Innermost function first.
    pub stack: Vec<StackEntry>,
    /// What was read before it was written, where that is known.
    pub origin: Option<Origin>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UsedFor {
    Branch,
    /// An address, a length, or an argument of the engine's own functions.
    Address,
}

/// How often the caller is asked whether to stop, in instructions.
const SLICE: u64 = 10_000_000;

/// Runs a state to the end of its path. `stop` is asked now and then; if it says yes the run ends with `None`.
pub fn run(
    executor: &mut Executor,
    state: &mut State,
    stop: impl FnMut(&State) -> bool,
    flag: impl FnMut(&Executor, UninitialisedUse),
) -> Option<Ended> {
    drive(executor, &mut Concrete { state, stop, flag, flagged: FxHashSet::default(), used_for: UsedFor::Branch })
}

struct Concrete<'a, S, F> {
    state: &'a mut State,
    stop: S,
    flag: F,
    flagged: FxHashSet<(LocId, bool)>,
    /// For what the value is used that decides next.
    used_for: UsedFor,
}

impl<S: FnMut(&State) -> bool, F: FnMut(&Executor, UninitialisedUse)> Decide<Executor> for Concrete<'_, S, F> {
    type End = Option<Ended>;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (self.state, None)
    }

    fn grant(&mut self, _: &mut Executor) -> ControlFlow<Self::End, u64> {
        ControlFlow::Continue(SLICE)
    }

    fn executed(&mut self, _: &mut Executor, _: u64, pause: Pause) -> ControlFlow<Self::End, Pause> {
        match &pause {
            Pause::Outcome(Outcome::Continue) if (self.stop)(self.state) => return ControlFlow::Break(None),
            Pause::Outcome(Outcome::Return(values)) => {
                let status = values.first().map_or(0, |value| value.low_word() as i32);
                return ControlFlow::Break(Some(Ended::Exited(status)));
            }
            Pause::Outcome(Outcome::Resolve { .. }) => self.used_for = UsedFor::Address,
            _ => self.used_for = UsedFor::Branch,
        }
        ControlFlow::Continue(pause)
    }

    fn flag(&mut self, executor: &mut Executor, value: &Value) {
        let used_for = self.used_for;
        if self.flagged.insert((self.state.loc(&executor.image), used_for == UsedFor::Branch)) {
            let stack = self.state.stack(&executor.image);
            let origin = executor.origin_of(self.state, value);
            (self.flag)(executor, UninitialisedUse { used_for, stack, origin });
        }
    }

    fn fork(&mut self, _: &mut Executor, _: Fork) -> Step<Self::End> {
        ControlFlow::Break(Some(not_given()))
    }

    fn ask(&mut self, executor: &mut Executor, question: Question) -> Step<Self::End> {
        if !question.is_native() {
            return ControlFlow::Break(Some(not_given()));
        }
        let bits = executor.answer(&question, 0);
        let fork = executor.propose(self.state, &question, bits);
        match executor.proceed(self.state, &fork.alternatives[0].then) {
            Some(ended) => ControlFlow::Break(Some(ended)),
            None => ControlFlow::Continue(()),
        }
    }

    fn over(&mut self, _: &mut Executor, ended: Ended) -> Step<Self::End> {
        ControlFlow::Break(Some(ended))
    }
}

fn not_given() -> Ended {
    Ended::Unsupported(
        "asking for inputs in `symcrete run` (`symcrete cover` explores them, `symcrete replay` runs a test)"
            .to_owned(),
    )
}
