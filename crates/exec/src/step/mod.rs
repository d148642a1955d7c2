//! The meaning of one instruction. `fast` executes what deals in words; everything rarer is executed here, from the `ir`, one
//! instruction at a time, with the files beside it.
//!
//! Nothing here chooses: where a value that is not a machine word would decide, execution pauses and says so.

pub mod access;
pub mod arithmetic;
pub mod calls;
mod fast;
pub mod floats;
pub mod intrinsics;

use std::rc::Rc;

use symcrete_expr::Value;
use symcrete_ir::{BinaryOp, Body, Call, CastOp, EdgeId, Inst, Operand, Reg, SwitchTable, Terminator, Type};
use symcrete_memory::{Kind, Memory};

use crate::code::Code;
use crate::image::Image;
use crate::outcome::{Choice, Ended, Outcome};
use crate::state::{Frame, State};
use crate::trace::stack_site;
use crate::{Config, Executor};

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
        }
    }
}

impl Executor {
    /// Runs until something is to be decided, the path ends, or the budget of instructions is used up.
    pub fn run(&mut self, state: &mut State, budget: u64) -> Outcome {
        let limit = state.steps.saturating_add(budget);
        loop {
            let pause = run_frame(&self.image, &self.config, state, limit);
            let done = match pause {
                Pause::Budget => return Outcome::Continue,
                Pause::Stop(stop) => return stop.into(),
                Pause::Call(call) if self.config.short_forms && self.call_words(state, call) => Ok(()),
                Pause::Call(call) => self.call(state, call),
                Pause::Return if self.config.short_forms && self.return_words(state) => Ok(()),
                Pause::Return => match self.return_from(state) {
                    Some(values) => return Outcome::Return(values),
                    None => Ok(()),
                },
            };
            if let Err(stop) = done {
                return stop.into();
            }
        }
    }

    /// Answers `Outcome::Branch`.
    pub fn take(&self, state: &mut State, edge: EdgeId) {
        let frame = Rc::make_mut(&mut state.top);
        state.steps += follow(self.image.code(frame.function), frame, edge);
    }

    /// Answers `Outcome::Resolve`: from here on the register holds this word.
    pub fn resolve(&self, state: &mut State, register: Reg, bits: u64) {
        Rc::make_mut(&mut state.top).registers.set(register, Value::Word(bits));
    }
}

/// Takes an edge; returns how many instructions that completes.
pub(crate) fn follow(code: &Code, frame: &mut Frame, edge: EdgeId) -> u64 {
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
    match operand.as_reg() {
        Some(reg) => Err(Stop::Resolve(reg, value)),
        None => Ok(value.low_word()),
    }
}

/// Executes the top frame until it calls, returns, or stops.
pub(crate) fn run_frame(image: &Image, config: &Config, state: &mut State, limit: u64) -> Pause {
    let State { top, memory, steps, stack_bytes, .. } = state;
    let frame: &mut Frame = Rc::make_mut(top);
    let code = image.code(frame.function);
    loop {
        if frame.detour.is_none() && config.short_forms {
            let run = if frame.registers.specials.is_none() { fast::run::<false> } else { fast::run::<true> };
            match run(code, &mut frame.registers, memory, &mut frame.pc, steps, limit) {
                fast::Exit::Budget => return Pause::Budget,
                fast::Exit::Call(call) => return Pause::Call(call),
                fast::Exit::Return => return Pause::Return,
                fast::Exit::General => {}
            }
        }
        let mut general = General { image, config, memory, stack_bytes, code };
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

/// Where the general way leads: on, having completed so many instructions, into a call, or back.
enum Next {
    Onward(u64),
    Call(Call),
    Return,
}

/// The general way: one instruction of the `ir` on values of any shape.
struct General<'a> {
    image: &'a Image,
    config: &'a Config,
    memory: &'a mut Memory,
    stack_bytes: &'a mut u64,
    code: &'a Code,
}

impl General<'_> {
    /// Executes the instruction or terminator on which the frame stands, and those after it that have no operation of their own.
    fn step(&mut self, frame: &mut Frame) -> Result<Next, Stop> {
        let body = self.image.body(frame.function);
        let (block_id, mut at) = frame.detour.take().unwrap_or_else(|| {
            let origin = self.code.origins[frame.pc as usize];
            (origin.block, origin.first)
        });
        let block = &body.blocks[block_id];
        while let Some(inst) = block.insts.get(at as usize) {
            if let Inst::Call { call } = *inst {
                // Its code stood in the place of the call, and met what it cannot do: now the call is made.
                return Ok(Next::Call(call));
            }
            if let Err(stop) = self.execute(body, frame, inst) {
                frame.detour = Some((block_id, at));
                return Err(stop);
            }
            at += 1;
            if let Some(pc) = self.code.position(block_id, at) {
                frame.pc = pc;
                return Ok(Next::Onward(0));
            }
        }
        match &block.terminator {
            Terminator::Invoke { call, .. } => Ok(Next::Call(*call)),
            Terminator::Return(_) => Ok(Next::Return),
            terminator => match self.leave(body, frame, terminator) {
                Ok(edge) => Ok(Next::Onward(follow(self.code, frame, edge))),
                Err(stop) => {
                    frame.detour = Some((block_id, at));
                    Err(stop)
                }
            },
        }
    }

    fn get(&self, frame: &Frame, operand: Operand) -> Value {
        self.image.value(frame, operand)
    }

    /// A word that the instruction cannot do without.
    fn need(&self, frame: &Frame, operand: Operand) -> Result<u64, Stop> {
        match self.get(frame, operand) {
            Value::Word(bits) => Ok(bits),
            other => needs_word(operand, other),
        }
    }

    /// Which edge a terminator takes.
    fn leave(&self, body: &Body, frame: &Frame, terminator: &Terminator) -> Result<EdgeId, Stop> {
        match terminator {
            Terminator::Jump(edge) => Ok(*edge),
            Terminator::Branch { condition, if_true, if_false } => match self.get(frame, *condition) {
                Value::Word(0) => Ok(*if_false),
                Value::Word(_) => Ok(*if_true),
                other => {
                    let choice = |value, edge| Choice { value: Some(value), edge };
                    Err(Stop::Branch(other, vec![choice(1, *if_true), choice(0, *if_false)]))
                }
            },
            Terminator::Switch { value, table, .. } => {
                let table = &body.switches[*table];
                match self.get(frame, *value) {
                    Value::Word(bits) => Ok(table.edge(bits)),
                    other => Err(Stop::Branch(other, switch_choices(table))),
                }
            }
            Terminator::IndirectJump { address, targets } => {
                let bits = self.need(frame, *address)?;
                let target = self.image.block_at(bits).filter(|(function, _)| *function == frame.function);
                let edge = target.and_then(|(_, block)| targets.iter().find(|edge| body.edges[**edge].target == block));
                edge.copied().ok_or(Ended::BadFunctionPointer(bits).into())
            }
            Terminator::Resume(_) => Err(Ended::Unsupported("an exception that unwinds the stack".to_owned()).into()),
            Terminator::Unreachable => Err(Ended::Unreachable.into()),
            Terminator::Unsupported { what, .. } => Err(Ended::Unsupported(what.to_string()).into()),
            Terminator::Return(_) | Terminator::Invoke { .. } => unreachable!("returns and calls leave the frame"),
        }
    }

    /// Executes one instruction that is not a call.
    fn execute(&mut self, body: &Body, frame: &mut Frame, inst: &Inst) -> Result<(), Stop> {
        let pointer_bits = self.image.pointer_bits();
        let (dst, value) = match *inst {
            Inst::Binary { op, ty, flags, dst, lhs, rhs } => {
                let (a, b) = (self.get(frame, lhs), self.get(frame, rhs));
                if self.config.signed_overflow
                    && flags.no_signed_wrap()
                    && arithmetic::wraps_signed(op, ty.int_bits(), &a, &b)
                {
                    return Err(Ended::SignedOverflow.into());
                }
                (dst, arithmetic::binary(op, ty.int_bits(), &a, &b)?)
            }
            Inst::IntCompare { predicate, ty, dst, lhs, rhs } => {
                let width = ty.bits(pointer_bits);
                (dst, arithmetic::compare(predicate, width, &self.get(frame, lhs), &self.get(frame, rhs)))
            }
            Inst::Load { ty, dst, address, .. } => {
                let address = self.need(frame, address)?;
                (dst, access::load(self.memory, address, ty, pointer_bits)?)
            }
            Inst::Store { ty, address, value, .. } => {
                let address = self.need(frame, address)?;
                access::store(self.memory, address, ty, pointer_bits, &self.get(frame, value))?;
                return Ok(());
            }
            Inst::Address { dst, base, offset, first_term, terms } => {
                (dst, self.address(frame, base, offset, body.terms(first_term, terms))?)
            }
            Inst::Cast { op, from, to, dst, src } => {
                (dst, arithmetic::cast(op, from, to, pointer_bits, &self.get(frame, src)))
            }
            Inst::FloatBinary { op, ty, dst, lhs, rhs } => {
                (dst, floats::binary(op, ty, &self.get(frame, lhs), &self.get(frame, rhs)))
            }
            Inst::FloatCompare { predicate, ty, dst, lhs, rhs } => {
                (dst, floats::compare(predicate, ty, &self.get(frame, lhs), &self.get(frame, rhs)))
            }
            Inst::FloatNegate { ty, dst, src } => (dst, floats::negate(ty, &self.get(frame, src))),
            Inst::Select { ty, dst, condition, if_true, if_false } => {
                let (a, b) = (self.get(frame, if_true), self.get(frame, if_false));
                let value = match self.get(frame, condition) {
                    Value::Word(0) => b,
                    Value::Word(_) => a,
                    other => arithmetic::select(u32::from(ty.bits(pointer_bits)), &other, &a, &b),
                };
                (dst, value)
            }
            Inst::Alloca { dst, count, element_bytes, align_log2 } => {
                let bytes = self.need(frame, count)?.saturating_mul(u64::from(element_bytes));
                (dst, Value::Word(self.alloca(frame, dst, bytes, 1 << align_log2)?))
            }
            Inst::Freeze { dst, src, .. } | Inst::Copy { dst, src, .. } => (dst, self.get(frame, src)),
            Inst::Marker | Inst::Call { .. } => return Ok(()),
        };
        frame.registers.set(dst, value);
        Ok(())
    }

    fn alloca(&mut self, frame: &mut Frame, register: Reg, bytes: u64, align: u64) -> Result<u64, Stop> {
        if *self.stack_bytes + bytes.min(self.config.stack_limit) >= self.config.stack_limit {
            return Err(Ended::StackOverflow.into());
        }
        let site = stack_site(frame.function, register);
        let made = self.memory.allocate(bytes, align, Kind::Stack, site);
        let (object, base) = made.map_err(|_| Ended::OutOfMemory { bytes })?;
        *self.stack_bytes += bytes;
        frame.stack_objects.push(object);
        Ok(base)
    }

    fn address(
        &self,
        frame: &Frame,
        base: Operand,
        offset: i32,
        terms: &[symcrete_ir::AddressTerm],
    ) -> Result<Value, Stop> {
        let pointer_bits = self.image.pointer_bits();
        let offset = Value::Word(arithmetic::truncate(pointer_bits, offset as i64 as u64));
        let mut address = arithmetic::binary(BinaryOp::Add, pointer_bits, &self.get(frame, base), &offset)?;
        for term in terms {
            let pointer = Type::int(pointer_bits);
            let width = term.ty.int_bits();
            let value = self.get(frame, term.index);
            let index = match width.cmp(&pointer_bits) {
                std::cmp::Ordering::Equal => value,
                std::cmp::Ordering::Less => {
                    arithmetic::cast(CastOp::SignExtend, term.ty, pointer, pointer_bits, &value)
                }
                std::cmp::Ordering::Greater => arithmetic::cast(CastOp::Trunc, term.ty, pointer, pointer_bits, &value),
            };
            let scale = Value::Word(arithmetic::truncate(pointer_bits, term.scale as u64));
            let step = arithmetic::binary(BinaryOp::Mul, pointer_bits, &index, &scale)?;
            address = arithmetic::binary(BinaryOp::Add, pointer_bits, &address, &step)?;
        }
        Ok(address)
    }
}

fn switch_choices(table: &SwitchTable) -> Vec<Choice> {
    let cases = table.cases.iter().map(|(value, edge)| Choice { value: Some(*value), edge: *edge });
    cases.chain([Choice { value: None, edge: table.default }]).collect()
}
