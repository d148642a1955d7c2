//! Executes the bodies of pure functions concretely, each call on a state of its own: the program's memory as it is at
//! the beginning, whatever the path that called has done to it.

use std::fs::File;

use symcrete_expr::{Bits, Value};
use symcrete_ir::{FuncId, Program};
use symcrete_native::Signature;

use super::Calls;
use super::callee::{Arguments, Outcome, RETURNED, ended};
use crate::posix::{Posix, RealHost};
use crate::{Config, Executor, Image, Outcome as Pause, State};

/// An executor beside the one that calls.
pub(crate) struct Bodies {
    executor: Box<Executor>,
    posix: Posix,
    steps: u64,
}

impl Bodies {
    pub fn new(program: &Program, config: &Config) -> Result<Bodies, String> {
        let config = Config { pure: Vec::new(), calls: Calls::Symbolic, native: None, leaks: false, ..config.clone() };
        let image = Image::new(program.clone(), &config).map_err(|error| error.to_string())?;
        let nothing = || File::options().read(true).write(true).open("/dev/null").map_err(|error| error.to_string());
        let host = RealHost::new(nothing()?, nothing()?, nothing()?, b"/".to_vec());
        let steps = config.body_steps;
        let mut executor = Box::new(Executor::new(image, config, Box::new(host)));
        let posix = Posix::new(&mut *executor.host, 0);
        Ok(Bodies { executor, posix, steps })
    }

    /// Calls the function.
    pub fn run(&mut self, function: FuncId, signature: &Signature, arguments: &Arguments) -> Outcome {
        let executor = &mut *self.executor;
        let value =
            |(kind, bits): (&symcrete_native::Kind, &u128)| Value::from_bits(Bits::from_u128(kind.bits(), *bits));
        let values = signature.parameters.iter().zip(arguments).map(value).collect();
        let mut state = State::new(&executor.image, self.posix.clone(), function, values);
        loop {
            let budget = self.steps.saturating_sub(state.steps);
            match executor.run(&mut state, budget) {
                Pause::Return(values) => {
                    let bits =
                        |value: &Value| value.to_bits(signature.result.map_or(64, |kind| kind.bits())).low_u128();
                    return Outcome { status: RETURNED, result: values.first().map_or(0, bits) };
                }
                // Bits that nobody wrote count as those that stand there, as on the machine.
                Pause::Branch { condition, choices } => {
                    let bits = condition.low_word();
                    let exact = choices.iter().find(|choice| choice.value == Some(bits));
                    let Some(choice) = exact.or_else(|| choices.iter().find(|choice| choice.value.is_none())) else {
                        return ended();
                    };
                    executor.take(&mut state, choice.edge);
                }
                Pause::Resolve { register, value } => executor.resolve(&mut state, register, value.low_word()),
                Pause::Continue | Pause::Fork(_) | Pause::Ask(_) | Pause::Ended(_) => return ended(),
            }
            executor.notes.clear();
        }
    }
}
