//! Executes states. Here is the one execution loop: it runs a state, counts its instructions, and asks a `Decide` wherever inputs decide, a value is
//! needed, or a call is met. The files beside it are runs without a search: concrete ones, and those along a decision string.

pub mod concrete;
pub mod confirm;
pub mod follow;
pub mod onward;
pub mod trials;

use std::ops::ControlFlow;

use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, Executor, Fork, Outcome, Question, State};
use symcrete_expr::Value;
use symcrete_ir::FuncId;

use crate::session::Session;
use crate::session::machine::Machine;
use onward::Onward;

/// Instructions that most engines let a state execute before they look at it again.
pub const SLICE: u64 = 100_000;

/// Whether the drive goes on, or what it comes to.
pub type Step<End> = ControlFlow<End>;

/// What a state is executed with.
pub trait Context {
    fn executor(&mut self) -> &mut Executor;

    /// So many instructions were executed.
    fn count(&mut self, _instructions: u64) {}
}

/// Runs that nobody counts, or that are counted elsewhere.
impl Context for Executor {
    fn executor(&mut self) -> &mut Executor {
        self
    }
}

impl Context for Machine {
    fn executor(&mut self) -> &mut Executor {
        &mut self.executor
    }
}

/// What the search executes.
impl Context for Session {
    fn executor(&mut self) -> &mut Executor {
        &mut self.machine.executor
    }

    fn count(&mut self, instructions: u64) {
        self.meter.counts.instructions += instructions;
    }
}

/// Decides where a state goes. `End` is what the drive comes to.
pub trait Decide<C: Context = Session> {
    type End;

    /// The state, and at which calls it pauses.
    fn running(&mut self) -> (&mut State, Option<&Pauses>);

    /// Before instructions are executed: how many may be, at most.
    fn grant(&mut self, context: &mut C) -> ControlFlow<Self::End, u64>;

    /// So many were, and the state came to this.
    fn executed(&mut self, context: &mut C, steps: u64, pause: Pause) -> ControlFlow<Self::End, Pause>;

    /// The way on depends on bits of a value that nobody wrote; it goes on as if they were zero.
    fn flag(&mut self, _context: &mut C, _value: &Value) {}

    /// Inputs decide which way is taken.
    fn fork(&mut self, context: &mut C, fork: Fork) -> Step<Self::End>;

    /// A value has to be proposed.
    fn ask(&mut self, context: &mut C, question: Question) -> Step<Self::End>;

    /// The path is over.
    fn over(&mut self, context: &mut C, ended: Ended) -> Step<Self::End>;

    /// The state stands before a call at which it pauses. The result of entering it, if anything did.
    fn call(&mut self, context: &mut C, _function: FuncId) -> ControlFlow<Self::End, Option<Outcome>> {
        let (state, _) = self.running();
        ControlFlow::Continue(context.executor().enter_call(state))
    }

    /// The state is back in the activation in which it pauses.
    fn back(&mut self, _context: &mut C) -> Step<Self::End> {
        ControlFlow::Continue(())
    }
}

/// Executes a state until somebody says what that comes to.
pub fn drive<C: Context, D: Decide<C>>(context: &mut C, decide: &mut D) -> D::End {
    loop {
        let pause = match run(context, decide) {
            ControlFlow::Continue(pause) => pause,
            ControlFlow::Break(end) => return end,
        };
        if let ControlFlow::Break(end) = settle(context, decide, pause) {
            return end;
        }
    }
}

/// The same for a state that has just come to something.
pub fn drive_on<C: Context, D: Decide<C>>(context: &mut C, decide: &mut D, pause: Pause) -> D::End {
    match settle(context, decide, pause) {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => drive(context, decide),
    }
}

fn run<C: Context, D: Decide<C>>(context: &mut C, decide: &mut D) -> ControlFlow<D::End, Pause> {
    let budget = decide.grant(context)?;
    let (state, pauses) = decide.running();
    let before = state.steps;
    let executor = context.executor();
    let pause = match pauses {
        None => Pause::Outcome(executor.run(state, budget)),
        Some(pauses) => executor.run_pausing(state, budget, pauses),
    };
    let steps = state.steps - before;
    context.count(steps);
    decide.executed(context, steps, pause)
}

fn settle<C: Context, D: Decide<C>>(context: &mut C, decide: &mut D, pause: Pause) -> Step<D::End> {
    let outcome = match pause {
        Pause::Outcome(outcome) => outcome,
        Pause::Back => return decide.back(context),
        Pause::Call(function) => match decide.call(context, function)? {
            Some(outcome) => outcome,
            None => return ControlFlow::Continue(()),
        },
    };
    if let Outcome::Branch { condition: value, .. } | Outcome::Resolve { value, .. } = &outcome {
        decide.flag(context, value);
    }
    let (state, _) = decide.running();
    match Onward::after(context.executor(), state, outcome) {
        Onward::On => ControlFlow::Continue(()),
        Onward::Fork(fork) => decide.fork(context, fork),
        Onward::Ask(question) => decide.ask(context, question),
        Onward::Over(ended) => decide.over(context, ended),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::test_support::machine;

    /// Takes the last way at each of so many forks.
    struct Last {
        state: State,
        forks: usize,
        most: usize,
    }

    impl Decide<Executor> for Last {
        type End = Option<Ended>;

        fn running(&mut self) -> (&mut State, Option<&Pauses>) {
            (&mut self.state, None)
        }

        fn grant(&mut self, _: &mut Executor) -> ControlFlow<Self::End, u64> {
            ControlFlow::Continue(1)
        }

        fn executed(&mut self, _: &mut Executor, _: u64, pause: Pause) -> ControlFlow<Self::End, Pause> {
            ControlFlow::Continue(pause)
        }

        fn fork(&mut self, executor: &mut Executor, fork: Fork) -> Step<Self::End> {
            if self.forks == self.most {
                return ControlFlow::Break(None);
            }
            self.forks += 1;
            let last = fork.alternatives.last().expect("a fork has alternatives");
            match executor.proceed(&mut self.state, &last.then) {
                Some(ended) => ControlFlow::Break(Some(ended)),
                None => ControlFlow::Continue(()),
            }
        }

        fn ask(&mut self, _: &mut Executor, _: Question) -> Step<Self::End> {
            ControlFlow::Break(None)
        }

        fn over(&mut self, _: &mut Executor, ended: Ended) -> Step<Self::End> {
            ControlFlow::Break(Some(ended))
        }
    }

    #[test]
    fn it_goes_on_until_somebody_says_what_that_comes_to() {
        let Machine { mut executor, mut roots, .. } = machine();
        let state = roots.remove(0);
        let mut last = Last { state, forks: 0, most: 2 };
        assert_eq!(drive(&mut executor, &mut last), Some(Ended::Exited(3)));
        assert_eq!(last.forks, 2);
    }

    #[test]
    fn who_decides_may_end_it_at_a_fork() {
        let Machine { mut executor, mut roots, .. } = machine();
        let state = roots.remove(0);
        let mut last = Last { state, forks: 0, most: 1 };
        assert_eq!(drive(&mut executor, &mut last), None);
        assert_eq!(last.forks, 1);
    }
}
