//! The meaning of one instruction. `fast` executes what deals in words; everything rarer is executed here, from the `ir`, one
//! instruction at a time, with the files beside it.
//!
//! Nothing here chooses: where a value that is not a machine word would decide, execution pauses and says so.

pub mod access;
pub mod arithmetic;
pub mod calls;
mod cases;
mod checks;
pub(crate) mod disagree;
mod fast;
pub mod floats;
mod general;
pub mod intrinsics;
mod join;
mod opaque;
mod proceed;
pub mod symbolic;
mod widen;
mod window;

use std::rc::Rc;

use symcrete_expr::{Expr, Value};
use symcrete_ir::{Call, EdgeId, Operand, Reg};

use crate::Executor;
use crate::code::Code;
use crate::coverage::EdgeCoverage;
use crate::external::lazy;
use crate::outcome::{Choice, Ended, Fork, Outcome, Purpose, Question};
use crate::pause;
use crate::state::{Frame, State};
use general::{General, Next};

/// Why `run_frame` came back.
pub(crate) enum Pause {
    Budget,
    Call(Call),
    Return,
    Stop(Stop),
}

/// What ends or suspends a path in the middle of an instruction; the state is as it was before that instruction.
#[derive(Debug)]
pub(crate) enum Stop {
    Ended(Ended),
    /// This register must become a machine word before the instruction can be executed.
    Resolve(Reg, Value),
    Branch(Value, Vec<Choice>),
    Fork(Fork),
    Ask(Question),
}

impl Stop {
    pub(crate) fn ask(value: Expr, purpose: Purpose) -> Stop {
        Stop::Ask(Question { value, purpose })
    }
}

impl From<Ended> for Stop {
    fn from(ended: Ended) -> Self {
        Stop::Ended(ended)
    }
}

impl From<symcrete_memory::Fault> for Stop {
    fn from(fault: symcrete_memory::Fault) -> Self {
        Stop::Ended(Ended::Memory(Box::new(fault)))
    }
}

impl From<Stop> for Outcome {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Ended(ended) => Outcome::Ended(ended),
            Stop::Resolve(register, value) => Outcome::Resolve { register, value },
            Stop::Branch(condition, choices) => Outcome::Branch { condition, choices },
            Stop::Fork(fork) => Outcome::Fork(fork),
            Stop::Ask(question) => Outcome::Ask(question),
        }
    }
}

impl Executor {
    /// Runs until something is to be decided, the path ends, or the budget of instructions is used up.
    pub fn run(&mut self, state: &mut State, budget: u64) -> Outcome {
        match self.run_until(state, budget, None) {
            pause::Pause::Outcome(outcome) => outcome,
            pause::Pause::Call(_) | pause::Pause::Back => unreachable!("nobody asked for a pause"),
        }
    }

    pub(crate) fn run_until(&mut self, state: &mut State, budget: u64, pauses: Option<&pause::Pauses>) -> pause::Pause {
        let limit = state.steps.saturating_add(budget);
        loop {
            let pause = self.run_frame(state, limit);
            let returns = matches!(pause, Pause::Return);
            if let (Pause::Call(call), Some(pauses)) = (&pause, pauses)
                && let Some(function) = self.pauses_at(state, *call, pauses)
            {
                return pause::Pause::Call(function);
            }
            let done = match pause {
                Pause::Budget => return pause::Pause::Outcome(Outcome::Continue),
                Pause::Stop(stop) => Err(stop),
                Pause::Call(call) if self.config.short_forms && self.call_words(state, call) => Ok(()),
                Pause::Call(call) => self.call(state, call),
                Pause::Return if self.config.short_forms && self.return_words(state) => Ok(()),
                Pause::Return => match self.return_from(state) {
                    Some(values) => return pause::Pause::Outcome(Outcome::Return(values)),
                    None => Ok(()),
                },
            };
            match done {
                Ok(()) => {
                    state.known.clear();
                    state.memory.forbid_elastic();
                    if returns && pauses.is_some_and(|pauses| pauses.back_in == Some(state.top.activation)) {
                        return pause::Pause::Back;
                    }
                }
                Err(stop) => match self.fill(state, stop) {
                    Ok(()) => {}
                    Err(stop) => return pause::Pause::Outcome(stop.into()),
                },
            }
        }
    }

    /// A path stopped at an object that needs a look first. If an input points to it and nobody has looked so far, it is filled; if its
    /// size depends on inputs, the access is let through where it is inside.
    pub(crate) fn fill(&mut self, state: &mut State, stop: Stop) -> Result<(), Stop> {
        let Stop::Ended(Ended::Memory(fault)) = &stop else { return Err(stop) };
        let Some(allocation) = fault.elastic().map(|info| info.id) else { return Err(stop) };
        if lazy::fill(self, state, allocation)? || self.check_elastic(state, fault)? {
            return Ok(());
        }
        Err(stop)
    }

    /// Answers `Outcome::Branch`.
    pub fn take(&self, state: &mut State, edge: EdgeId) {
        let frame = Rc::make_mut(&mut state.top);
        state.steps += follow(self.image.code(frame.function), self.coverage.edges(frame.function), frame, edge);
    }

    /// Answers `Outcome::Resolve`: from here on the register holds this word.
    pub fn resolve(&self, state: &mut State, register: Reg, bits: u64) {
        Rc::make_mut(&mut state.top).registers.set(register, Value::Word(bits));
    }
}

/// Takes an edge; returns how many instructions that completes.
pub(crate) fn follow(code: &Code, covered: EdgeCoverage, frame: &mut Frame, edge: EdgeId) -> u64 {
    covered.mark(edge.as_u32());
    let edge = code.edge(edge);
    for (to, from) in &code.copies[edge.first_copy as usize..(edge.first_copy + edge.copies) as usize] {
        frame.registers.copy(*to, *from);
    }
    frame.pc = edge.target;
    frame.detour = None;
    u64::from(edge.weight)
}

/// An operand is not a word where one must be: the explorer has to choose, unless it is a constant, which then counts as its bits.
#[cold]
pub(crate) fn needs_word(operand: Operand, value: Value) -> Result<u64, Stop> {
    match (operand.as_reg(), value) {
        (Some(reg), Value::Expr(expr)) => Err(Stop::ask(expr, Purpose::Word(reg))),
        (Some(reg), value) => Err(Stop::Resolve(reg, value)),
        (None, value) => Ok(value.low_word()),
    }
}

impl Executor {
    /// Executes the top frame until it calls, returns, or stops.
    fn run_frame(&mut self, state: &mut State, limit: u64) -> Pause {
        let State { top, memory, steps, stack_bytes, known, sizes, .. } = state;
        let frame: &mut Frame = Rc::make_mut(top);
        let code = self.image.code(frame.function);
        let covered = self.coverage.edges(frame.function);
        loop {
            if frame.detour.is_none() && self.config.short_forms {
                let run = if frame.registers.specials.is_none() { fast::run::<false> } else { fast::run::<true> };
                match run(code, &mut frame.registers, memory, &mut frame.pc, steps, limit, covered) {
                    fast::Exit::Budget => return Pause::Budget,
                    fast::Exit::Call(call) => return Pause::Call(call),
                    fast::Exit::Return => return Pause::Return,
                    fast::Exit::General => {}
                }
            }
            let mut general = General {
                image: &self.image,
                config: &self.config,
                memory,
                stack_bytes,
                code,
                covered,
                symbolic: symbolic::Symbolic { arena: &mut self.arena, notes: &mut self.notes },
                sizes,
                known,
                watches: &mut self.watches,
            };
            match general.step(frame) {
                Ok(Next::Onward(completed)) => {
                    *steps += completed;
                    if *steps >= limit {
                        return Pause::Budget;
                    }
                }
                Ok(Next::Call(call)) => return Pause::Call(call),
                Ok(Next::Return) => return Pause::Return,
                Err(stop) => return Pause::Stop(stop),
            }
        }
    }
}
