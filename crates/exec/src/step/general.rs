//! The general way: one instruction of the `ir` on values of any shape. Accesses at addresses that depend on inputs are in `window`.

use smallvec::smallvec;
use symcrete_expr::dag::Op;
use symcrete_expr::{Expr, Value, word};
use symcrete_ir::{BinaryOp, Body, Call, CastOp, EdgeId, Inst, Operand, Reg, SwitchTable, Terminator, Type};
use symcrete_memory::{Kind, Memory};

use super::symbolic::{self, Note, Symbolic};
use super::{Stop, access, arithmetic, floats, follow, needs_word};
use crate::Config;
use crate::code::Code;
use crate::coverage::EdgeCoverage;
use crate::coverage::Mark;
use crate::distance::Watches;
use crate::elastic::Sizes;
use crate::image::Image;
use crate::outcome::{Alternative, Choice, Ended, Fact, Fork, Purpose, Then};
use crate::state::{Frame, Known};
use crate::trace::stack_site;

/// Where the general way leads: on, having completed so many instructions, into a call, or back.
pub(super) enum Next {
    Onward(u64),
    Call(Call),
    Return,
}

/// The general way: one instruction of the `ir` on values of any shape.
pub(super) struct General<'a> {
    pub image: &'a Image,
    pub config: &'a Config,
    pub memory: &'a mut Memory,
    pub stack_bytes: &'a mut u64,
    pub code: &'a Code,
    pub covered: EdgeCoverage<'a>,
    pub symbolic: Symbolic<'a>,
    pub sizes: &'a mut Sizes,
    /// What the instruction that is executed again may rely on.
    pub known: &'a mut Known,
    pub watches: &'a mut Watches,
}

impl General<'_> {
    /// Executes the instruction or terminator on which the frame stands, and those after it that have no operation of their own.
    pub fn step(&mut self, frame: &mut Frame) -> Result<Next, Stop> {
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
            self.known.clear();
            self.memory.forbid_elastic();
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
                Ok(mut edge) => {
                    if !self.watches.is_empty() {
                        edge = self.watches.leave(self.image, frame, block_id, edge);
                    }
                    Ok(Next::Onward(follow(self.code, self.covered, frame, edge)))
                }
                Err(stop) => {
                    frame.detour = Some((block_id, at));
                    Err(stop)
                }
            },
        }
    }

    pub(super) fn get(&self, frame: &Frame, operand: Operand) -> Value {
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
    fn leave(&mut self, body: &Body, frame: &Frame, terminator: &Terminator) -> Result<EdgeId, Stop> {
        match terminator {
            Terminator::Jump(edge) => Ok(*edge),
            Terminator::Branch { condition, if_true, if_false } => match self.get(frame, *condition) {
                Value::Word(0) => Ok(*if_false),
                Value::Word(_) => Ok(*if_true),
                Value::Expr(expr) => {
                    let opposite = self.symbolic.arena.not(expr);
                    Err(Stop::Fork(Fork {
                        alternatives: smallvec![
                            Alternative { condition: expr, then: Then::Edge(*if_true) },
                            Alternative { condition: opposite, then: Then::Edge(*if_false) },
                        ],
                    }))
                }
                other => {
                    let choice = |value, edge| Choice { value: Some(value), edge };
                    Err(Stop::Branch(other, vec![choice(1, *if_true), choice(0, *if_false)]))
                }
            },
            Terminator::Switch { value, table, .. } => {
                let table = &body.switches[*table];
                match self.get(frame, *value) {
                    Value::Word(bits) => Ok(table.edge(bits)),
                    Value::Expr(expr) => Err(Stop::Fork(self.switch(body, table, expr))),
                    other => Err(Stop::Branch(other, switch_choices(table))),
                }
            }
            Terminator::IndirectJump { address, targets } => {
                let bits = match (self.get(frame, *address), address.as_reg()) {
                    (Value::Expr(expr), Some(register)) => return Err(Stop::ask(expr, Purpose::Label(register))),
                    _ => self.need(frame, *address)?,
                };
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
    pub(super) fn execute(&mut self, body: &Body, frame: &mut Frame, inst: &Inst) -> Result<(), Stop> {
        let pointer_bits = self.image.pointer_bits();
        let (dst, value) = match *inst {
            Inst::Binary { op, ty, flags, dst, lhs, rhs } => {
                let (a, b) = (self.get(frame, lhs), self.get(frame, rhs));
                self.check_shift(frame, op, u32::from(ty.int_bits()), (&a, &b))?;
                let must_not_wrap = flags.no_signed_wrap() && self.image.watches_overflow(frame.function);
                if symbolic::any(&[&a, &b]) {
                    let value = self.symbolic_binary(op, u32::from(ty.int_bits()), must_not_wrap, &a, &b)?;
                    frame.registers.set(dst, value);
                    return Ok(());
                }
                if must_not_wrap && arithmetic::wraps_signed(op, ty.int_bits(), &a, &b) {
                    return Err(Ended::SignedOverflow.into());
                }
                (dst, arithmetic::binary(op, ty.int_bits(), &a, &b)?)
            }
            Inst::IntCompare { predicate, ty, dst, lhs, rhs } => {
                let width = ty.bits(pointer_bits);
                let (a, b) = (self.get(frame, lhs), self.get(frame, rhs));
                match symbolic::any(&[&a, &b]) {
                    true => (dst, self.symbolic.compare(predicate, u32::from(width), &a, &b)),
                    false => (dst, arithmetic::compare(predicate, width, &a, &b)),
                }
            }
            Inst::Load { ty, dst, address, .. } => match self.get(frame, address) {
                Value::Expr(expr) => (dst, self.load_at(frame, address, expr, ty)?),
                _ => {
                    let address = self.need(frame, address)?;
                    (dst, access::load(self.memory, &mut self.symbolic, address, ty, pointer_bits)?)
                }
            },
            Inst::Store { ty, address, value, .. } => {
                let value = self.get(frame, value);
                match self.get(frame, address) {
                    Value::Expr(expr) => self.store_at(frame, address, expr, ty, &value)?,
                    _ => {
                        let address = self.need(frame, address)?;
                        access::store(self.memory, &mut self.symbolic, address, ty, pointer_bits, &value)?;
                    }
                }
                return Ok(());
            }
            Inst::Address { dst, base, offset, first_term, terms } => {
                (dst, self.address(frame, base, offset, body.terms(first_term, terms))?)
            }
            Inst::Cast { op, from, to, dst, src } => {
                let value = self.get(frame, src);
                (dst, self.cast(op, from, to, &value))
            }
            Inst::FloatBinary { op, ty, dst, lhs, rhs } => {
                let (a, b) = (self.get(frame, lhs), self.get(frame, rhs));
                match symbolic::any(&[&a, &b]) {
                    true => (dst, self.symbolic.float_binary(op, ty, &a, &b)),
                    false => (dst, floats::binary(op, ty, &a, &b)),
                }
            }
            Inst::FloatCompare { predicate, ty, dst, lhs, rhs } => {
                let (a, b) = (self.get(frame, lhs), self.get(frame, rhs));
                match symbolic::any(&[&a, &b]) {
                    true => (dst, self.symbolic.float_compare(predicate, ty, &a, &b)),
                    false => (dst, floats::compare(predicate, ty, &a, &b)),
                }
            }
            Inst::FloatNegate { ty, dst, src } => match self.get(frame, src) {
                value @ Value::Expr(_) => (dst, self.symbolic.float_negate(ty, &value)),
                value => (dst, floats::negate(ty, &value)),
            },
            Inst::Select { ty, dst, condition, if_true, if_false } => {
                let (a, b) = (self.get(frame, if_true), self.get(frame, if_false));
                let value = match self.get(frame, condition) {
                    Value::Word(0) => b,
                    Value::Word(_) => a,
                    // The side that the compiler says is anything is the other one.
                    Value::Expr(_) if self.image.is_anything(&a) => b,
                    Value::Expr(_) if self.image.is_anything(&b) => a,
                    other if symbolic::any(&[&other, &a, &b]) => {
                        self.symbolic.select(u32::from(ty.bits(pointer_bits)), &other, &a, &b)
                    }
                    other => arithmetic::select(u32::from(ty.bits(pointer_bits)), &other, &a, &b),
                };
                (dst, value)
            }
            Inst::Alloca { dst, count, element_bytes, align_log2 } => {
                self.check_array_bound(body, frame, count)?;
                let base = match self.get(frame, count) {
                    Value::Expr(count) => self.alloca_elastic(frame, dst, count, element_bytes, 1 << align_log2)?,
                    _ => {
                        let bytes = self.need(frame, count)?.saturating_mul(u64::from(element_bytes));
                        self.alloca(frame, dst, bytes, 1 << align_log2)?
                    }
                };
                (dst, Value::Word(base))
            }
            Inst::Freeze { dst, src, .. } | Inst::Copy { dst, src, .. } => (dst, self.get(frame, src)),
            Inst::Marker | Inst::Call { .. } => return Ok(()),
        };
        if body.registers[dst] == Type::BOOL {
            self.note_choice(frame, dst, &value);
        }
        frame.registers.set(dst, value);
        Ok(())
    }

    /// Somebody may want to see both sides of a condition.
    fn note_choice(&mut self, frame: &Frame, condition: Reg, value: &Value) {
        let Some(number) = self.image.choices.number(frame.function, condition) else { return };
        match value {
            Value::Word(bits) => self.covered.choose(number, *bits != 0),
            Value::Expr(condition) => {
                let sides = [false, true].map(|side| Mark::Chosen(number, side));
                self.symbolic.notes.push(Note::Choice { sides, condition: *condition });
            }
            _ => {}
        }
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

    /// A stack object whose size depends on inputs. It takes no room on the stack, since how much is not known.
    fn alloca_elastic(
        &mut self,
        frame: &mut Frame,
        register: Reg,
        count: Expr,
        element_bytes: u32,
        align: u64,
    ) -> Result<u64, Stop> {
        let room = self.config.stack_limit.saturating_sub(*self.stack_bytes + 1);
        let width = u32::from(self.image.pointer_bits());
        let count = self.symbolic.resize(count, width, false);
        let arena = &mut *self.symbolic.arena;
        let most = arena.word(width, room / u64::from(element_bytes.max(1)));
        let fits = arena.compare(Op::UnsignedLessEqual, count, most);
        self.require(fits, Ended::StackOverflow)?;
        let arena = &mut *self.symbolic.arena;
        let element = arena.word(width, u64::from(element_bytes));
        let size = arena.binary(Op::Mul, count, element);
        let most = arena.facts(size).max.min(room);
        let made = self.memory.allocate(most, align, Kind::Stack, stack_site(frame.function, register));
        let (object, base) = made.map_err(|_| Ended::OutOfMemory { bytes: most })?;
        self.memory.set_elastic(object);
        self.sizes.insert(object, size);
        frame.stack_objects.push(object);
        Ok(base)
    }

    fn address(
        &mut self,
        frame: &Frame,
        base: Operand,
        offset: i32,
        terms: &[symcrete_ir::AddressTerm],
    ) -> Result<Value, Stop> {
        let pointer_bits = self.image.pointer_bits();
        let offset = Value::Word(arithmetic::truncate(pointer_bits, offset as i64 as u64));
        let mut address = self.plain(BinaryOp::Add, &self.get(frame, base), &offset)?;
        for term in terms {
            let pointer = Type::int(pointer_bits);
            let value = self.get(frame, term.index);
            let index = match term.ty.int_bits().cmp(&pointer_bits) {
                std::cmp::Ordering::Equal => value,
                std::cmp::Ordering::Less => self.cast(CastOp::SignExtend, term.ty, pointer, &value),
                std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, term.ty, pointer, &value),
            };
            let scale = Value::Word(arithmetic::truncate(pointer_bits, term.scale as u64));
            let step = self.plain(BinaryOp::Mul, &index, &scale)?;
            address = self.plain(BinaryOp::Add, &address, &step)?;
        }
        Ok(address)
    }

    /// An operation on addresses that cannot go wrong.
    fn plain(&mut self, op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Stop> {
        let width = self.image.pointer_bits();
        match symbolic::any(&[a, b]) {
            true => Ok(self.symbolic.binary(op, u32::from(width), a, b)),
            false => Ok(arithmetic::binary(op, width, a, b)?),
        }
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, value: &Value) -> Value {
        let pointer_bits = self.image.pointer_bits();
        match value {
            Value::Expr(_) => self.symbolic.cast(op, from, to, pointer_bits, value),
            _ => arithmetic::cast(op, from, to, pointer_bits, value),
        }
    }

    /// Integer arithmetic that depends on inputs, with what it may not do.
    fn symbolic_binary(
        &mut self,
        op: BinaryOp,
        width: u32,
        must_not_wrap: bool,
        a: &Value,
        b: &Value,
    ) -> Result<Value, Stop> {
        if must_not_wrap && let Some(keeps) = self.symbolic.keeps_sign(op, width, a, b) {
            self.require(keeps, Ended::SignedOverflow)?;
        }
        if matches!(op, BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem) {
            let divisor = self.symbolic.expr(width, b);
            let zero = self.symbolic.equals(divisor, 0);
            let nonzero = self.symbolic.arena.not(zero);
            self.require(nonzero, Ended::DivisionByZero)?;
        }
        // The machine has no instruction for wider ones; the library function that it calls wraps.
        if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && width <= 64 {
            let (dividend, divisor) = (self.symbolic.expr(width, a), self.symbolic.expr(width, b));
            let least = self.symbolic.equals(dividend, word::sign_bit(width));
            let minus_one = self.symbolic.equals(divisor, word::mask(width));
            let overflows = self.symbolic.arena.binary(Op::And, least, minus_one);
            let fits = self.symbolic.arena.not(overflows);
            self.require(fits, Ended::DivisionOverflow)?;
        }
        Ok(self.symbolic.binary(op, width, a, b))
    }

    /// Goes on where the condition holds; where it does not the path ends so.
    pub(super) fn require(&mut self, condition: Expr, otherwise: Ended) -> Result<(), Stop> {
        match self.symbolic.arena.as_word(condition) {
            Some(0) => return Err(otherwise.into()),
            Some(_) => return Ok(()),
            None if self.known.contains(&Fact::Holds(condition)) => return Ok(()),
            None => {}
        }
        let opposite = self.symbolic.arena.not(condition);
        Err(Stop::Fork(Fork {
            alternatives: smallvec![
                Alternative { condition, then: Then::Know(Fact::Holds(condition)) },
                Alternative { condition: opposite, then: Then::End(Box::new(otherwise)) },
            ],
        }))
    }

    /// The ways on from a switch: one for each different target, not for each case.
    fn switch(&mut self, body: &Body, table: &SwitchTable, value: Expr) -> Fork {
        let same = |a: EdgeId, b: EdgeId| {
            let (a, b) = (&body.edges[a], &body.edges[b]);
            a.target == b.target && a.args == b.args
        };
        let no = self.symbolic.arena.boolean(false);
        let mut ways: Vec<(EdgeId, Expr)> = Vec::new();
        for (case, edge) in &table.cases {
            if same(*edge, table.default) {
                continue;
            }
            let equal = self.symbolic.equals(value, *case);
            match ways.iter_mut().find(|(known, _)| same(*known, *edge)) {
                Some((_, condition)) => *condition = self.symbolic.arena.binary(Op::Or, *condition, equal),
                None => ways.push((*edge, equal)),
            }
        }
        let elsewhere = ways.iter().fold(no, |sum, (_, condition)| self.symbolic.arena.binary(Op::Or, sum, *condition));
        let default = self.symbolic.arena.not(elsewhere);
        ways.push((table.default, default));
        let alternative = |(edge, condition)| Alternative { condition, then: Then::Edge(edge) };
        Fork { alternatives: ways.into_iter().map(alternative).collect() }
    }
}

fn switch_choices(table: &SwitchTable) -> Vec<Choice> {
    let cases = table.cases.iter().map(|(value, edge)| Choice { value: Some(*value), edge: *edge });
    cases.chain([Choice { value: None, edge: table.default }]).collect()
}
