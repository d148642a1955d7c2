//! What an outcome leaves to who decides where a path goes: what depends on bits that nobody wrote goes as if they were zero.

use symcrete_exec::{Choice, Ended, Executor, Fork, Outcome, Question, State};
use symcrete_expr::Value;

/// How a path goes on.
pub enum Onward {
    /// Without a choice.
    On,
    /// As inputs decide.
    Fork(Fork),
    Ask(Question),
    Over(Ended),
}

impl Onward {
    pub fn after(executor: &mut Executor, state: &mut State, outcome: Outcome) -> Onward {
        match outcome {
            Outcome::Continue => Onward::On,
            Outcome::Branch { condition, choices } => {
                if let Some(choice) = choose(&choices, condition.low_word()) {
                    executor.take(state, choice.edge);
                }
                Onward::On
            }
            Outcome::Resolve { register, value } => {
                executor.resolve(state, register, value.low_word());
                Onward::On
            }
            Outcome::Return(values) => Onward::Over(returned(&values)),
            Outcome::Ended(ended) => Onward::Over(ended),
            Outcome::Fork(fork) => Onward::Fork(fork),
            Outcome::Ask(question) => Onward::Ask(question),
        }
    }
}

/// The status of a program whose entry returned.
pub fn returned(values: &[Value]) -> Ended {
    match values.first() {
        Some(Value::Word(status)) => Ended::Exited(*status as i32),
        _ => Ended::Exited(0),
    }
}

/// The choice for these bits, or else the one for any other.
pub fn choose(choices: &[Choice], bits: u64) -> Option<&Choice> {
    let exact = choices.iter().find(|choice| choice.value == Some(bits));
    exact.or_else(|| choices.iter().find(|choice| choice.value.is_none()))
}
