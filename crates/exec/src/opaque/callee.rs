//! One opaque function: what it gave for which arguments, for which it did not return, and whether it is as pure as the
//! user says.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_expr::Bits;
use symcrete_ir::FuncId;
use symcrete_native::{Answer, FunctionNumber, Helper, Kind, Signature};

use super::body::Bodies;

/// The bits of arguments, in the low bits.
pub(crate) type Arguments = SmallVec<[u128; 4]>;

/// The status of a call that returned.
pub const RETURNED: u32 = 0;
/// The status of an answer of the engine itself, of which only the path knows: `klee_is_symbolic`.
pub const ANSWERED: u32 = u32::MAX - 1;
/// What stands in the place of a status where the function is known not to be pure.
pub const NOT_PURE: u32 = u32::MAX;

const EXITED: u32 = 0x100;
const TIMED_OUT: u32 = 0x200;
const ENDED: u32 = 0x300;
const LOST: u32 = 0x400;

/// How many argument tuples a function is called twice with, before it is believed to be pure.
const TRIALS: u32 = 64;
/// How many failures are offered to paths.
const OFFERED: usize = 8;
/// How many results are remembered. More are forgotten and computed again, which changes nothing for a pure function.
const REMEMBERED: usize = 1 << 20;

/// What a call came to: whether it returned, and the bits of its result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub status: u32,
    pub result: u128,
}

/// Why a function did not return.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Killed by this signal.
    Signal(i32),
    /// It ended the process.
    Exited(i32),
    /// Still running at the time limit.
    TimedOut,
    /// Its body ended the program, or did not come to its end.
    Ended,
    /// It could not be called.
    Lost,
}

impl Failure {
    /// What a status says; `None` if the function returned.
    pub fn of_status(status: u32) -> Option<Failure> {
        match status {
            RETURNED => None,
            signal @ 1..EXITED => Some(Failure::Signal(signal as i32)),
            TIMED_OUT => Some(Failure::TimedOut),
            ENDED => Some(Failure::Ended),
            LOST => Some(Failure::Lost),
            exited => Some(Failure::Exited((exited & 0xFF) as i32)),
        }
    }

    fn status(self) -> u32 {
        match self {
            Failure::Signal(signal) => (signal as u32).clamp(1, EXITED - 1),
            Failure::Exited(status) => EXITED | (status as u32 & 0xFF),
            Failure::TimedOut => TIMED_OUT,
            Failure::Ended => ENDED,
            Failure::Lost => LOST,
        }
    }
}

pub(crate) struct Callee {
    name: String,
    signature: Signature,
    backend: Backend,
    known: FxHashMap<Arguments, Outcome>,
    /// Arguments for which it did not return, the first ones.
    failing: Vec<Arguments>,
    trials: u32,
    impurity: Option<Impurity>,
    /// Paths went on under the condition that it returns; whether that was told.
    assumption: Option<bool>,
}

struct Impurity {
    words: String,
    is_told: bool,
}

enum Backend {
    Body(Rc<RefCell<Bodies>>, FuncId),
    Native(Rc<RefCell<Helper>>, FunctionNumber),
}

impl Callee {
    pub fn with_body(name: &str, signature: Signature, bodies: Rc<RefCell<Bodies>>, function: FuncId) -> Callee {
        Callee::new(name, signature, Backend::Body(bodies, function))
    }

    /// A function of the libraries; an error if it is not there.
    pub fn native(name: &str, signature: Signature, helper: Rc<RefCell<Helper>>) -> Result<Callee, String> {
        if let Some(trouble) = signature.trouble() {
            return Err(trouble);
        }
        let found = helper.borrow_mut().find(name).map_err(|error| error.to_string())?;
        let number = found.ok_or_else(|| "no library that is named has it".to_owned())?;
        Ok(Callee::new(name, signature, Backend::Native(helper, number)))
    }

    fn new(name: &str, signature: Signature, backend: Backend) -> Callee {
        Callee {
            name: name.to_owned(),
            signature,
            backend,
            known: FxHashMap::default(),
            failing: Vec::new(),
            trials: 0,
            impurity: None,
            assumption: None,
        }
    }

    pub fn is_pure(&self) -> bool {
        self.impurity.is_none()
    }

    /// Some of the arguments for which it did not return.
    pub fn failing(&self) -> &[Arguments] {
        &self.failing
    }

    /// That it is not pure, in words, once.
    pub fn tell_impurity(&mut self) -> Option<String> {
        let impurity = self.impurity.as_mut().filter(|impurity| !impurity.is_told)?;
        impurity.is_told = true;
        Some(impurity.words.clone())
    }

    /// A path goes on under the condition that the function returns; for which other inputs it does not, nobody asks.
    pub fn assume_to_return(&mut self) {
        self.assumption.get_or_insert(false);
    }

    /// Whether that happened, once.
    pub fn tell_assumption(&mut self) -> bool {
        let is_new = self.assumption == Some(false);
        self.assumption = self.assumption.map(|_| true);
        is_new
    }

    /// The result as the evaluator of expressions wants it; zero where the function does not return.
    pub fn result(&mut self, arguments: &[Bits], width: u32) -> Bits {
        let outcome = self.outcome(&arguments.iter().map(Bits::low_u128).collect());
        Bits::from_u128(width, outcome.result)
    }

    pub fn status(&mut self, arguments: &[Bits], width: u32) -> Bits {
        let outcome = self.outcome(&arguments.iter().map(Bits::low_u128).collect());
        Bits::from_u64(width, u64::from(outcome.status))
    }

    /// What the function gives, always the same for the same arguments.
    pub fn outcome(&mut self, arguments: &Arguments) -> Outcome {
        if let Some(known) = self.known.get(arguments) {
            return *known;
        }
        let outcome = match &self.backend {
            Backend::Body(bodies, function) => bodies.borrow_mut().run(*function, &self.signature, arguments),
            Backend::Native(..) => self.tried(arguments),
        };
        if let Some(Failure::Signal(_) | Failure::Exited(_) | Failure::TimedOut | Failure::Ended) =
            Failure::of_status(outcome.status)
            && self.failing.len() < OFFERED
        {
            self.failing.push(arguments.clone());
        }
        if self.known.len() >= REMEMBERED && self.is_pure() {
            self.known.retain(|_, outcome| outcome.status != RETURNED);
        }
        self.known.insert(arguments.clone(), outcome);
        outcome
    }

    /// Calls natively: the first times twice, to see whether the results are the same.
    fn tried(&mut self, arguments: &Arguments) -> Outcome {
        let times = if self.trials < TRIALS && self.is_pure() { 2 } else { 1 };
        let answers = self.call(arguments, times);
        if let [Outcome { status: RETURNED, result: first }, Outcome { status: RETURNED, result: second }] = answers[..]
        {
            self.trials += 1;
            if first != second {
                let (name, results) = (&self.name, self.signature.result);
                let given: Vec<String> =
                    self.signature.parameters.iter().zip(arguments).map(|(kind, bits)| number(*kind, *bits)).collect();
                let gave = |bits| results.map_or(String::new(), |kind| number(kind, bits));
                let words = format!(
                    "`{name}` is not pure: {name}({}) gave {}, then {}; from now on its arguments are fixed where it is \
                     called",
                    given.join(", "),
                    gave(first),
                    gave(second)
                );
                self.impurity = Some(Impurity { words, is_told: false });
            }
        }
        answers.first().copied().unwrap_or(Outcome { status: LOST, result: 0 })
    }

    /// Calls natively, now, whatever is known.
    pub fn call(&mut self, arguments: &Arguments, times: usize) -> SmallVec<[Outcome; 2]> {
        let lost = Outcome { status: LOST, result: 0 };
        let Backend::Native(helper, number) = &self.backend else { return SmallVec::from_slice(&[lost]) };
        let answers = helper.borrow_mut().call(*number, &self.signature, arguments, times);
        let outcome = |answer: Answer| match answer {
            Answer::Returned(result) => Outcome { status: RETURNED, result },
            Answer::Failed(failure) => Outcome { status: native_failure(failure).status(), result: 0 },
        };
        answers.map_or_else(|_| SmallVec::from_slice(&[lost]), |answers| answers.into_iter().map(outcome).collect())
    }
}

fn native_failure(failure: symcrete_native::Failure) -> Failure {
    match failure {
        symcrete_native::Failure::Signal(signal) => Failure::Signal(signal),
        symcrete_native::Failure::Exited(status) => Failure::Exited(status),
        symcrete_native::Failure::TimedOut => Failure::TimedOut,
    }
}

/// The status of a call whose body did not return.
pub(super) fn ended() -> Outcome {
    Outcome { status: ENDED, result: 0 }
}

/// A number as C writes it.
fn number(kind: Kind, bits: u128) -> String {
    match kind {
        Kind::Integer { bits: width, signed: true } => {
            let unused = 64 - u32::from(width);
            (((bits as u64) << unused) as i64 >> unused).to_string()
        }
        Kind::Integer { .. } => bits.to_string(),
        Kind::Single => f32::from_bits(bits as u32).to_string(),
        Kind::Double => f64::from_bits(bits as u64).to_string(),
        Kind::X87 => format!("{bits:#x}"),
    }
}
