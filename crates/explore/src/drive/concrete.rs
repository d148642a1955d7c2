//! One concrete run. Where the program's way hangs on bits that nobody wrote, the run goes on with the bits that stand
//! there, as the machine does, and says so once for each place.

use rustc_hash::FxHashSet;
use symcrete_exec::diagnose::Origin;
use symcrete_exec::{Choice, Ended, Executor, Outcome, StackEntry, State};
use symcrete_expr::Value;
use symcrete_ir::LocId;

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
    mut stop: impl FnMut(&State) -> bool,
    mut flag: impl FnMut(&Executor, UninitialisedUse),
) -> Option<Ended> {
    let mut flagged: FxHashSet<(LocId, bool)> = FxHashSet::default();
    let mut report = |executor: &Executor, state: &State, value: &Value, used_for: UsedFor| {
        if flagged.insert((state.loc(&executor.image), used_for == UsedFor::Branch)) {
            let stack = state.stack(&executor.image);
            flag(executor, UninitialisedUse { used_for, stack, origin: executor.origin_of(state, value) });
        }
    };
    loop {
        match executor.run(state, SLICE) {
            Outcome::Continue => {
                if stop(state) {
                    return None;
                }
            }
            Outcome::Branch { condition, choices } => {
                report(executor, state, &condition, UsedFor::Branch);
                let bits = condition.low_word();
                if let Some(choice) = choose(&choices, bits) {
                    executor.take(state, choice.edge);
                }
            }
            Outcome::Resolve { register, value } => {
                report(executor, state, &value, UsedFor::Address);
                executor.resolve(state, register, value.low_word());
            }
            Outcome::Return(values) => {
                let status = values.first().map_or(0, |value| value.low_word() as i32);
                return Some(Ended::Exited(status));
            }
            Outcome::Ended(ended) => return Some(ended),
            Outcome::Ask(question) if question.is_native() => {
                let bits = executor.answer(&question, 0);
                let fork = executor.propose(state, &question, bits);
                if let Some(ended) = executor.proceed(state, &fork.alternatives[0].then) {
                    return Some(ended);
                }
            }
            Outcome::Fork(_) | Outcome::Ask(_) => {
                let what = "an input that is not given; `symcrete cover` explores all of them";
                return Some(Ended::Unsupported(what.to_owned()));
            }
        }
    }
}

/// The choice for these bits, or else the one for any other.
fn choose(choices: &[Choice], bits: u64) -> Option<&Choice> {
    choices
        .iter()
        .find(|choice| choice.value == Some(bits))
        .or_else(|| choices.iter().find(|choice| choice.value.is_none()))
}
