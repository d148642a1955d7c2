//! The meaning of one instruction. Words take the short way through `run_frame`; everything rarer goes to the files beside it.
//!
//! Nothing here chooses: where a value that is not a machine word would decide, execution pauses and says so.

pub mod access;
pub mod arithmetic;
pub mod calls;
pub mod floats;
pub mod intrinsics;

use std::rc::Rc;

use cranelift_entity::EntityRef;
use smallvec::SmallVec;
use symcrete_expr::{Value, word};
use symcrete_ir::{
    BinaryOp, Block, Body, Call, CastOp, EdgeId, FloatOp, FuncId, Inst, IntPredicate, Operand, OperandKind, Reg,
    SwitchTable, Terminator, Type, TypeKind,
};

use symcrete_memory::{AllocationId, Kind};

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
                Pause::Call(call) => self.call(state, call),
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
        let body = self.image.body(frame.function);
        frame.block = follow(&self.image, body, &mut frame.registers, edge);
        frame.next = 0;
    }

    /// Answers `Outcome::Resolve`: from here on the register holds this word.
    pub fn resolve(&self, state: &mut State, register: Reg, bits: u64) {
        Rc::make_mut(&mut state.top).registers[register.index()] = Value::Word(bits);
    }
}

/// Takes an edge: assigns the target's parameters in parallel.
#[inline(always)]
fn follow(image: &Image, body: &Body, registers: &mut [Value], edge: EdgeId) -> Block {
    let edge = &body.edges[edge];
    let params = &body.blocks[edge.target].params;
    if edge.overlaps {
        let values: SmallVec<[Value; 8]> = edge.args.iter().map(|arg| image.value(registers, *arg).clone()).collect();
        for (param, value) in params.iter().zip(values) {
            registers[param.index()] = value;
        }
    } else {
        for (param, arg) in params.iter().zip(&edge.args) {
            registers[param.index()] = image.value(registers, *arg).clone();
        }
    }
    edge.target
}

/// The operands and results of one activation, and the memory that it owns.
struct Registers<'a> {
    image: &'a Image,
    constants: &'a [Value],
    values: &'a mut [Value],
    stack_objects: &'a mut Vec<AllocationId>,
    stack_bytes: &'a mut u64,
    function: FuncId,
}

impl<'a> Registers<'a> {
    #[inline(always)]
    fn of(image: &'a Image, frame: &'a mut Frame, stack_bytes: &'a mut u64) -> Self {
        Registers {
            image,
            constants: image.constants(),
            values: &mut frame.registers,
            stack_objects: &mut frame.stack_objects,
            stack_bytes,
            function: frame.function,
        }
    }

    #[inline(always)]
    fn get(&self, operand: Operand) -> &Value {
        match operand.kind() {
            OperandKind::Reg(reg) => &self.values[reg.index()],
            OperandKind::Const(constant) => &self.constants[constant.index()],
        }
    }

    #[inline(always)]
    fn word(&self, operand: Operand) -> Option<u64> {
        match self.get(operand) {
            Value::Word(bits) => Some(*bits),
            _ => None,
        }
    }

    #[inline(always)]
    fn set(&mut self, reg: Reg, bits: u64) {
        self.values[reg.index()] = Value::Word(bits);
    }

    /// A word that the instruction cannot do without.
    #[inline(always)]
    fn need(&self, operand: Operand) -> Result<u64, Stop> {
        match self.get(operand) {
            Value::Word(bits) => Ok(*bits),
            other => needs_word(operand, other),
        }
    }
}

/// An operand is not a word where one must be: the explorer has to choose, unless it is a constant, which then counts as its bits.
#[cold]
pub(crate) fn needs_word(operand: Operand, value: &Value) -> Result<u64, Stop> {
    match operand.as_reg() {
        Some(reg) => Err(Stop::Resolve(reg, value.clone())),
        None => Ok(value.low_word()),
    }
}

/// Executes the top frame until it calls, returns, or stops.
pub(crate) fn run_frame(image: &Image, config: &Config, state: &mut State, limit: u64) -> Pause {
    let State { top, memory, steps, stack_bytes, .. } = state;
    let frame: &mut Frame = Rc::make_mut(top);
    let body = image.body(frame.function);
    let mut block_id = frame.block;
    let mut at = frame.next as usize;
    let mut registers = Registers::of(image, frame, stack_bytes);
    let pause = loop {
        let block = &body.blocks[block_id];
        let start = at;
        let mut interrupted = None;
        while let Some(inst) = block.insts.get(at) {
            if let Inst::Call { call } = *inst {
                interrupted = Some(Pause::Call(call));
                break;
            }
            if let Err(stop) = execute(image, config, body, &mut registers, memory, inst) {
                interrupted = Some(Pause::Stop(stop));
                break;
            }
            at += 1;
        }
        *steps += (at - start) as u64 + 1;
        if let Some(pause) = interrupted {
            break pause;
        }
        let edge = match &block.terminator {
            Terminator::Jump(edge) => *edge,
            Terminator::Branch { condition, if_true, if_false } => match registers.get(*condition) {
                Value::Word(0) => *if_false,
                Value::Word(_) => *if_true,
                other => break Pause::Stop(Stop::Branch(other.clone(), branch_choices(*if_true, *if_false))),
            },
            other => match leave(body, &registers, other) {
                Ok(edge) => edge,
                Err(pause) => break pause,
            },
        };
        block_id = follow(image, body, registers.values, edge);
        at = 0;
        if *steps >= limit {
            break Pause::Budget;
        }
    };
    frame.block = block_id;
    frame.next = at as u32;
    pause
}

fn branch_choices(if_true: EdgeId, if_false: EdgeId) -> Vec<Choice> {
    vec![Choice { value: Some(1), edge: if_true }, Choice { value: Some(0), edge: if_false }]
}

/// The rarer ways in which a block ends.
fn leave(body: &Body, registers: &Registers, terminator: &Terminator) -> Result<EdgeId, Pause> {
    let stop = |stop: Stop| Err(Pause::Stop(stop));
    match terminator {
        Terminator::Jump(edge) => Ok(*edge),
        Terminator::Branch { condition, if_true, if_false } => {
            stop(Stop::Branch(registers.get(*condition).clone(), branch_choices(*if_true, *if_false)))
        }
        Terminator::Switch { value, table, .. } => {
            let table = &body.switches[*table];
            match registers.get(*value) {
                Value::Word(bits) => Ok(table.edge(*bits)),
                other => stop(Stop::Branch(other.clone(), switch_choices(table))),
            }
        }
        Terminator::IndirectJump { address, targets } => {
            let bits = registers.need(*address).map_err(Pause::Stop)?;
            let target = registers.image.block_at(bits).filter(|(function, _)| *function == registers.function);
            let edge = target.and_then(|(_, block)| targets.iter().find(|edge| body.edges[**edge].target == block));
            edge.copied().ok_or(Pause::Stop(Ended::BadFunctionPointer(bits).into()))
        }
        Terminator::Return(_) => Err(Pause::Return),
        Terminator::Invoke { call, .. } => Err(Pause::Call(*call)),
        Terminator::Resume(_) => stop(Ended::Unsupported("an exception that unwinds the stack".to_owned()).into()),
        Terminator::Unreachable => stop(Ended::Unreachable.into()),
        Terminator::Unsupported { what, .. } => stop(Ended::Unsupported(what.to_string()).into()),
    }
}

fn switch_choices(table: &SwitchTable) -> Vec<Choice> {
    let cases = table.cases.iter().map(|(value, edge)| Choice { value: Some(*value), edge: *edge });
    cases.chain([Choice { value: None, edge: table.default }]).collect()
}

/// Executes one instruction that is not a call.
#[inline(always)]
fn execute(
    image: &Image,
    config: &Config,
    body: &Body,
    registers: &mut Registers,
    memory: &mut symcrete_memory::Memory,
    inst: &Inst,
) -> Result<(), Stop> {
    match *inst {
        Inst::Binary { op, ty, flags, dst, lhs, rhs } => {
            let (Some(a), Some(b)) = (registers.word(lhs), registers.word(rhs)) else {
                return slow_binary(registers, op, ty, dst, lhs, rhs);
            };
            let width = u32::from(ty.int_bits());
            if config.signed_overflow && flags.no_signed_wrap() && arithmetic::wraps_signed(op, width, a, b) {
                return Err(Ended::SignedOverflow.into());
            }
            let bits = match op {
                BinaryOp::Add => word::add(width, a, b),
                BinaryOp::Sub => word::sub(width, a, b),
                BinaryOp::Mul => word::mul(width, a, b),
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                BinaryOp::Shl => word::shl(width, a, b),
                BinaryOp::LShr => word::lshr(width, a, b),
                BinaryOp::AShr => word::ashr(width, a, b),
                BinaryOp::UDiv => word::udiv(width, a, b).ok_or(Ended::DivisionByZero)?,
                BinaryOp::URem => word::urem(width, a, b).ok_or(Ended::DivisionByZero)?,
                BinaryOp::SDiv | BinaryOp::SRem => arithmetic::divide_signed(op, width, a, b)?,
            };
            registers.set(dst, bits);
        }
        Inst::IntCompare { predicate, ty, dst, lhs, rhs } => {
            let (Some(a), Some(b)) = (registers.word(lhs), registers.word(rhs)) else {
                return slow_compare(registers, predicate, ty, dst, lhs, rhs);
            };
            let width = match ty.kind() {
                TypeKind::Int(bits) => u32::from(bits),
                _ => u32::from(image.pointer_bits()),
            };
            registers.set(dst, u64::from(arithmetic::compare_words(predicate, width, a, b)));
        }
        Inst::Load { ty, dst, address, .. } => {
            let address = registers.need(address)?;
            let value = access::load(memory, address, ty, image.pointer_bits())?;
            registers.values[dst.index()] = value;
        }
        Inst::Store { ty, address, value, .. } => {
            let address = registers.need(address)?;
            access::store(memory, address, ty, image.pointer_bits(), registers.get(value))?;
        }
        Inst::Address { dst, base, offset, first_term, terms } => {
            let terms = body.terms(first_term, terms);
            let Some(base_bits) = registers.word(base) else {
                return slow_address(registers, dst, base, offset, terms);
            };
            let mut address = base_bits.wrapping_add(offset as i64 as u64);
            for term in terms {
                let Some(index) = registers.word(term.index) else {
                    return slow_address(registers, dst, base, offset, terms);
                };
                let index = word::sign_extend(u32::from(term.ty.int_bits()), index);
                address = address.wrapping_add(index.wrapping_mul(term.scale) as u64);
            }
            registers.set(dst, arithmetic::truncate(image.pointer_bits(), address));
        }
        Inst::Cast { op, from, to, dst, src } => {
            let Some(bits) = registers.word(src) else {
                return slow_cast(registers, op, from, to, dst, src);
            };
            match op {
                CastOp::SignExtend if to.int_bits() <= 64 => {
                    registers
                        .set(dst, word::sign_extend_to(u32::from(from.int_bits()), u32::from(to.int_bits()), bits));
                }
                CastOp::ZeroExtend if to.int_bits() <= 64 => registers.set(dst, bits),
                CastOp::Trunc => registers.set(dst, word::truncate(u32::from(to.int_bits()), bits)),
                CastOp::Bitcast => registers.set(dst, bits),
                _ => return slow_cast(registers, op, from, to, dst, src),
            }
        }
        Inst::FloatBinary { op, ty, dst, lhs, rhs } => {
            if let (Some(a), Some(b)) = (registers.word(lhs), registers.word(rhs))
                && let Some(bits) = floats::binary_words(op, ty, a, b)
            {
                registers.set(dst, bits);
                return Ok(());
            }
            slow_float_binary(registers, op, ty, dst, lhs, rhs);
        }
        Inst::FloatCompare { predicate, ty, dst, lhs, rhs } => {
            let value = floats::compare(predicate, ty, registers.get(lhs), registers.get(rhs));
            registers.values[dst.index()] = value;
        }
        Inst::FloatNegate { ty, dst, src } => {
            let value = floats::negate(ty, registers.get(src));
            registers.values[dst.index()] = value;
        }
        Inst::Select { ty, dst, condition, if_true, if_false } => {
            let value = match registers.get(condition) {
                Value::Word(0) => registers.get(if_false).clone(),
                Value::Word(_) => registers.get(if_true).clone(),
                other => {
                    let width = u32::from(ty.bits(image.pointer_bits()));
                    arithmetic::select(width, other, registers.get(if_true), registers.get(if_false))
                }
            };
            registers.values[dst.index()] = value;
        }
        Inst::Alloca { dst, count, element_bytes, align_log2 } => {
            let bytes = registers.need(count)?.saturating_mul(u64::from(element_bytes));
            if *registers.stack_bytes + bytes.min(config.stack_limit) >= config.stack_limit {
                return Err(Ended::StackOverflow.into());
            }
            let site = stack_site(registers.function, dst);
            let (object, base) = (memory.allocate(bytes, 1 << align_log2, Kind::Stack, site))
                .map_err(|_| Ended::OutOfMemory { bytes })?;
            *registers.stack_bytes += bytes;
            registers.stack_objects.push(object);
            registers.set(dst, base);
        }
        Inst::Freeze { dst, src, .. } | Inst::Copy { dst, src, .. } => {
            registers.values[dst.index()] = registers.get(src).clone();
        }
        Inst::Marker => {}
        Inst::Call { .. } => {}
    }
    Ok(())
}

#[cold]
fn slow_binary(
    registers: &mut Registers,
    op: BinaryOp,
    ty: Type,
    dst: Reg,
    lhs: Operand,
    rhs: Operand,
) -> Result<(), Stop> {
    let value = arithmetic::binary(op, ty.int_bits(), registers.get(lhs), registers.get(rhs))?;
    registers.values[dst.index()] = value;
    Ok(())
}

#[cold]
fn slow_compare(
    registers: &mut Registers,
    predicate: IntPredicate,
    ty: Type,
    dst: Reg,
    lhs: Operand,
    rhs: Operand,
) -> Result<(), Stop> {
    let width = ty.bits(registers.image.pointer_bits());
    let value = arithmetic::compare(predicate, width, registers.get(lhs), registers.get(rhs));
    registers.values[dst.index()] = value;
    Ok(())
}

#[cold]
fn slow_cast(registers: &mut Registers, op: CastOp, from: Type, to: Type, dst: Reg, src: Operand) -> Result<(), Stop> {
    let value = arithmetic::cast(op, from, to, registers.image.pointer_bits(), registers.get(src));
    registers.values[dst.index()] = value;
    Ok(())
}

#[cold]
fn slow_float_binary(registers: &mut Registers, op: FloatOp, ty: Type, dst: Reg, lhs: Operand, rhs: Operand) {
    let value = floats::binary(op, ty, registers.get(lhs), registers.get(rhs));
    registers.values[dst.index()] = value;
}

#[cold]
fn slow_address(
    registers: &mut Registers,
    dst: Reg,
    base: Operand,
    offset: i32,
    terms: &[symcrete_ir::AddressTerm],
) -> Result<(), Stop> {
    let pointer_bits = registers.image.pointer_bits();
    let offset = Value::Word(arithmetic::truncate(pointer_bits, offset as i64 as u64));
    let mut address = arithmetic::binary(BinaryOp::Add, pointer_bits, registers.get(base), &offset)?;
    for term in terms {
        let pointer = Type::int(pointer_bits);
        let width = term.ty.int_bits();
        let widen = if width < pointer_bits { CastOp::SignExtend } else { CastOp::Trunc };
        let index = if width == pointer_bits {
            registers.get(term.index).clone()
        } else {
            arithmetic::cast(widen, term.ty, pointer, pointer_bits, registers.get(term.index))
        };
        let scale = Value::Word(arithmetic::truncate(pointer_bits, term.scale as u64));
        let step = arithmetic::binary(BinaryOp::Mul, pointer_bits, &index, &scale)?;
        address = arithmetic::binary(BinaryOp::Add, pointer_bits, &address, &step)?;
    }
    registers.values[dst.index()] = address;
    Ok(())
}
