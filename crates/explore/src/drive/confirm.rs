//! The inputs of a path, executed concretely: whether the run ends as the path did, and what it adds to the coverage of the suite.

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use symcrete_exec::coverage::Coverage;
use symcrete_exec::inputs::{Input, Supply};
use symcrete_exec::opaque::NativeResults;
use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, Executor, Fork, Outcome, Question, State};
use symcrete_expr::Value;

use crate::drive::{Decide, Step, drive};
use crate::report::{GivenInput, STOPPED};

/// How often somebody is asked whether to stop, in instructions.
const SLICE: u64 = 20_000_000;
/// The same where somebody waits for the run to come to a target, and what it may do behind that to come to its end.
const SLICE_TO_TARGET: u64 = 10_000;
const BEHIND_TARGET: u64 = 200_000;

/// Gives each input the bytes that a path had for it.
pub struct Fixed {
    bytes: Vec<Vec<u8>>,
}

impl Fixed {
    pub fn of(inputs: &[GivenInput]) -> Fixed {
        Fixed { bytes: inputs.iter().map(|input| input.bytes.clone()).collect() }
    }
}

impl Supply for Fixed {
    fn bytes(&self, input: &Input) -> Vec<u8> {
        self.bytes.get(input.number as usize).cloned().unwrap_or_default()
    }
}

/// Runs from a beginning with these inputs, with native calls that give what they gave on the path; how that ended. `None`
/// if the budget was too small, or something had to be decided after all.
pub fn run(
    executor: &mut Executor,
    root: &State,
    inputs: &[GivenInput],
    native: &NativeResults,
    budget: u64,
) -> Option<Ended> {
    run_flagging(executor, root, inputs, native, budget, &mut |_, _, _| {})
}

/// The same, and says where the way depends on bits that nobody wrote.
pub fn run_flagging(
    executor: &mut Executor,
    root: &State,
    inputs: &[GivenInput],
    native: &NativeResults,
    budget: u64,
    flag: &mut Flag,
) -> Option<Ended> {
    let mut state = beginning(root, inputs, native);
    execute_flagging(executor, &mut state, budget, &AtomicBool::new(false), flag)
}

/// The same for a run that comes to a target.
pub fn run_to_target(
    executor: &mut Executor,
    root: &State,
    inputs: &[GivenInput],
    native: &NativeResults,
    budget: u64,
    is_there: &Arrived,
) -> Option<Ended> {
    let mut state = beginning(root, inputs, native);
    execute_to_target(executor, &mut state, budget, &AtomicBool::new(false), is_there)
}

fn beginning(root: &State, inputs: &[GivenInput], native: &NativeResults) -> State {
    let mut state = root.clone();
    state.native = native.again();
    state.inputs.supply = Some(Rc::new(Fixed::of(inputs)));
    state
}

/// How the inputs of a path end when they are run.
#[derive(Clone, Debug, PartialEq)]
pub enum Confirmation {
    Ended(Ended),
    /// Something had to be decided, in a run that has nothing to decide.
    Stuck,
    /// The run takes more instructions than its budget has, which says nothing about its end.
    OutOfBudget,
}

/// As `run_flagging`, and tells why a run came to no end.
pub fn try_to_end(
    executor: &mut Executor,
    root: &State,
    inputs: &[GivenInput],
    native: &NativeResults,
    budget: u64,
    flag: &mut Flag,
) -> Confirmation {
    let mut state = beginning(root, inputs, native);
    let limit = state.steps + budget;
    match execute_flagging(executor, &mut state, budget, &AtomicBool::new(false), flag) {
        Some(ended) => Confirmation::Ended(ended),
        None if state.steps >= limit => Confirmation::OutOfBudget,
        None => Confirmation::Stuck,
    }
}

/// Is told of a state whose way on depends on bits of a value that nobody wrote.
type Flag<'a> = dyn FnMut(&Executor, &State, &Value) + 'a;

/// Runs a concrete state to its end.
pub fn execute(executor: &mut Executor, state: &mut State, budget: u64) -> Option<Ended> {
    execute_until(executor, state, budget, &AtomicBool::new(false))
}

/// The same, as long as nobody wants to stop.
pub fn execute_until(executor: &mut Executor, state: &mut State, budget: u64, stop: &AtomicBool) -> Option<Ended> {
    execute_flagging(executor, state, budget, stop, &mut |_, _, _| {})
}

/// The same for a run that matters for what it covers: once `is_there` says that it does, it may execute some more instructions to come to its
/// end, and is given up behind those.
pub fn execute_to_target(
    executor: &mut Executor,
    state: &mut State,
    budget: u64,
    stop: &AtomicBool,
    is_there: &Arrived,
) -> Option<Ended> {
    execute_watched(executor, state, budget, stop, &mut |_, _, _| {}, Some(is_there))
}

/// Whether what was covered is what somebody waits for.
pub type Arrived<'a> = dyn Fn(&Coverage) -> bool + 'a;

fn execute_flagging(
    executor: &mut Executor,
    state: &mut State,
    budget: u64,
    stop: &AtomicBool,
    flag: &mut Flag,
) -> Option<Ended> {
    execute_watched(executor, state, budget, stop, flag, None)
}

fn execute_watched(
    executor: &mut Executor,
    state: &mut State,
    budget: u64,
    stop: &AtomicBool,
    flag: &mut Flag,
    is_there: Option<&Arrived>,
) -> Option<Ended> {
    let limit = state.steps + budget;
    let slice = if is_there.is_some() { SLICE_TO_TARGET } else { SLICE };
    let mut watched = Watched { state, limit, slice, has_run: false, arrived: false, stop, flag, is_there };
    drive(executor, &mut watched)
}

/// A concrete run.
struct Watched<'a, 'f, 't> {
    state: &'a mut State,
    limit: u64,
    slice: u64,
    has_run: bool,
    arrived: bool,
    stop: &'a AtomicBool,
    flag: &'a mut Flag<'f>,
    is_there: Option<&'a Arrived<'t>>,
}

impl Watched<'_, '_, '_> {
    /// It does not come to its end.
    fn given_up(&self) -> Option<Ended> {
        self.arrived.then(|| Ended::GivenUp(STOPPED.to_owned()))
    }
}

impl Decide<Executor> for Watched<'_, '_, '_> {
    type End = Option<Ended>;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (self.state, None)
    }

    fn grant(&mut self, executor: &mut Executor) -> ControlFlow<Self::End, u64> {
        if std::mem::replace(&mut self.has_run, true) {
            executor.notes.clear();
        }
        ControlFlow::Continue(self.limit.saturating_sub(self.state.steps).min(self.slice))
    }

    fn executed(&mut self, executor: &mut Executor, _: u64, pause: Pause) -> ControlFlow<Self::End, Pause> {
        if !self.arrived && self.is_there.is_some_and(|is_there| is_there(&executor.coverage)) {
            self.arrived = true;
            self.limit = self.limit.min(self.state.steps + BEHIND_TARGET);
        }
        match pause {
            Pause::Outcome(Outcome::Continue)
                if self.state.steps >= self.limit || self.stop.load(Ordering::Relaxed) =>
            {
                ControlFlow::Break(self.given_up())
            }
            Pause::Outcome(Outcome::Return(_)) => ControlFlow::Break(Some(ended_well(executor, self.state, 0))),
            other => ControlFlow::Continue(other),
        }
    }

    fn flag(&mut self, executor: &mut Executor, value: &Value) {
        (self.flag)(executor, self.state, value);
    }

    fn fork(&mut self, _: &mut Executor, _: Fork) -> Step<Self::End> {
        ControlFlow::Break(self.given_up())
    }

    fn ask(&mut self, _: &mut Executor, _: Question) -> Step<Self::End> {
        ControlFlow::Break(self.given_up())
    }

    fn over(&mut self, executor: &mut Executor, ended: Ended) -> Step<Self::End> {
        ControlFlow::Break(Some(match ended {
            Ended::Exited(status) => ended_well(executor, self.state, status),
            other => other,
        }))
    }
}

/// The program exited; whether it left memory behind is asked where somebody wants to know.
fn ended_well(executor: &Executor, state: &State, status: i32) -> Ended {
    let leaked = executor.config.leaks.then(|| executor.leaks(state)).flatten();
    leaked.unwrap_or(Ended::Exited(status))
}

/// Whether two endings are the same thing. Addresses may differ: a symbolic path knows its object, not its address.
pub fn agree(left: &Ended, right: &Ended) -> bool {
    match (left, right) {
        (Ended::Memory(left), Ended::Memory(right)) => {
            std::mem::discriminant(&left.kind) == std::mem::discriminant(&right.kind)
        }
        (Ended::BadFunctionPointer(_), Ended::BadFunctionPointer(_)) => true,
        // Operands may be addresses.
        (Ended::Undefined(left), Ended::Undefined(right)) => left.name() == right.name(),
        (Ended::Exited(left), Ended::Exited(right)) => left & 0xFF == right & 0xFF,
        _ => left == right,
    }
}
