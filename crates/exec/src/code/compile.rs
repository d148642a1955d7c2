//! From a function body to the operations of the fast loop.

use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use symcrete_expr::Value;
use symcrete_ir::{
    BinaryOp, Block, Body, Callee, CastOp, Const, EdgeId, FloatOp, FuncId, Inst, IntPredicate, Operand, OperandKind,
    Program, Reg, Terminator, Type, TypeKind, convention,
};

use crate::choices::Choices;
use crate::image::Image;

use super::inline::{self, Inlined};
use super::{
    Code, CodeCall, CodeEdge, CodeReturn, CodeSwitch, CodeTarget, Conversion, Op, OpCode, Origin, Signatures, Slot,
};

/// Compiles the body of a function. `constants` are the values of the program's constants.
pub fn compile(image: &Image, function: FuncId, constants: &[Value], signed_overflow: bool) -> Code {
    let (program, body) = (&image.program, image.body(function));
    let mut compiler = Compiler {
        program,
        choices: &image.choices,
        signatures: &image.signatures,
        function,
        body,
        inlined: None,
        constants,
        pointer_bits: program.layout.pointer_bits,
        signed_overflow,
        slots: FxHashMap::default(),
        uses: count_uses(body),
        code: Code::default(),
        origin: Origin { block: Block::ENTRY, first: 0, last: 0 },
    };
    compiler.place_constants();
    compiler.compile_blocks();
    compiler.compile_calls();
    compiler.compile_edges();
    compiler.code
}

/// How often each register is read.
pub(super) fn count_uses(body: &Body) -> Vec<u32> {
    let mut uses = vec![0; body.registers.len()];
    let mut count = |operand: Operand| {
        if let Some(reg) = operand.as_reg() {
            uses[reg.index()] += 1;
        }
    };
    for block in body.blocks.values() {
        block.insts.iter().for_each(|inst| body.visit_operands(inst, &mut count));
        body.visit_terminator_operands(&block.terminator, &mut count);
    }
    body.edges.values().flat_map(|edge| &edge.args).for_each(|arg| count(*arg));
    uses
}

pub(super) struct Compiler<'a> {
    pub(super) program: &'a Program,
    choices: &'a Choices,
    signatures: &'a Signatures,
    /// Whose body it is.
    pub(super) function: FuncId,
    pub(super) body: &'a Body,
    /// Set while the body is that of a function whose code takes the place of a call.
    pub(super) inlined: Option<Inlined>,
    constants: &'a [Value],
    pointer_bits: u16,
    /// Whether arithmetic that promises not to wrap is watched, which `step` does.
    signed_overflow: bool,
    /// Where constants stand.
    slots: FxHashMap<Const, Slot>,
    pub(super) uses: Vec<u32>,
    pub(super) code: Code,
    pub(super) origin: Origin,
}

impl Compiler<'_> {
    /// Gives a slot to every constant that the function uses.
    fn place_constants(&mut self) {
        let mut used = Vec::new();
        let mut note_all = |body: &Body| {
            let mut note = |operand: Operand| used.extend(operand.as_const());
            for block in body.blocks.values() {
                block.insts.iter().for_each(|inst| body.visit_operands(inst, &mut note));
                body.visit_terminator_operands(&block.terminator, &mut note);
            }
            body.edges.values().flat_map(|edge| &edge.args).for_each(|arg| note(*arg));
        };
        note_all(self.body);
        let mut inline_registers = 0;
        for data in self.body.calls.values() {
            if let Some(callee) = inline::candidate(self.program, data) {
                note_all(callee);
                inline_registers = inline_registers.max(callee.registers.len());
            }
        }
        for constant in used {
            if self.slots.contains_key(&constant) {
                continue;
            }
            let slot = self.code.template.len() as Slot;
            self.slots.insert(constant, slot);
            match &self.constants[constant.index()] {
                Value::Word(bits) => self.code.template.push(*bits),
                _ => {
                    self.code.template.push(0);
                    self.code.special_constants.push((slot, constant));
                }
            }
        }
        self.code.first_register = self.code.template.len() as Slot;
        // Behind the registers stand those of functions that are inlined, and a word of scratch for parallel copies.
        self.code.template.resize(self.code.template.len() + self.body.registers.len() + inline_registers + 1, 0);
    }

    pub(super) fn register(&self, reg: Reg) -> Slot {
        match &self.inlined {
            Some(inlined) => inlined.register(reg),
            None => self.code.first_register + reg.as_u32(),
        }
    }

    pub(super) fn slot(&self, operand: Operand) -> Slot {
        match operand.kind() {
            OperandKind::Reg(reg) => self.register(reg),
            OperandKind::Const(constant) => self.slots[&constant],
        }
    }

    fn width(&self, ty: Type) -> u16 {
        ty.bits(self.pointer_bits)
    }

    /// The shift that keeps a type's bits; `None` for types wider than a word.
    fn shift(&self, ty: Type) -> Option<u8> {
        (self.width(ty) <= 64).then(|| 64 - self.width(ty) as u8)
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.code.ops.push(op);
        self.code.origins.push(self.origin);
    }

    fn general(&mut self) {
        self.emit(Op::GENERAL);
    }

    fn compile_blocks(&mut self) {
        for (id, block) in self.body.blocks.iter() {
            self.code.starts.push(self.code.ops.len() as u32);
            let fused = self.fused_compare(id);
            let plain = block.insts.len() - usize::from(fused.is_some());
            let mut at = 0;
            while at < plain {
                let joined = self.join_access(&block.insts[at..plain]);
                let last = at + joined.as_ref().map_or(0, |(length, _)| length - 1);
                self.origin = Origin { block: id, first: at as u32, last: last as u32 };
                match joined {
                    Some((_, op)) => self.emit(op),
                    None => {
                        if self.compile_inst(&block.insts[at]).is_none() {
                            self.general();
                        }
                    }
                }
                at = last + 1;
            }
            self.origin = Origin { block: id, first: plain as u32, last: plain as u32 };
            match fused {
                Some(op) => self.emit(op),
                None => self.compile_terminator(&block.terminator),
            }
        }
    }

    /// The comparison at the end of a block and the branch that alone uses it, as one operation.
    fn fused_compare(&mut self, id: Block) -> Option<Op> {
        let block = &self.body.blocks[id];
        let Terminator::Branch { condition, if_true, if_false } = block.terminator else { return None };
        let Some(Inst::IntCompare { predicate, ty, dst, lhs, rhs }) = block.insts.last().copied() else { return None };
        if condition.as_reg() != Some(dst) || self.uses[dst.index()] != 1 {
            return None;
        }
        let x = self.shift(ty)?;
        let (code, swapped, negated) = match predicate {
            IntPredicate::Eq => (OpCode::BranchEqual, false, false),
            IntPredicate::Ne => (OpCode::BranchEqual, false, true),
            IntPredicate::Ult => (OpCode::BranchLessUnsigned, false, false),
            IntPredicate::Ugt => (OpCode::BranchLessUnsigned, true, false),
            IntPredicate::Ule => (OpCode::BranchLessEqualUnsigned, false, false),
            IntPredicate::Uge => (OpCode::BranchLessEqualUnsigned, true, false),
            IntPredicate::Slt => (OpCode::BranchLessSigned, false, false),
            IntPredicate::Sgt => (OpCode::BranchLessSigned, true, false),
            IntPredicate::Sle => (OpCode::BranchLessEqualSigned, false, false),
            IntPredicate::Sge => (OpCode::BranchLessEqualSigned, true, false),
        };
        let (a, b) = if swapped { (rhs, lhs) } else { (lhs, rhs) };
        let pair = (if_true.as_u32(), if_false.as_u32());
        self.code.pairs.push(if negated { (pair.1, pair.0) } else { pair });
        let c = self.code.pairs.len() as u32 - 1;
        Some(Op { code, x, y: 0, dst: 0, a: self.slot(a), b: self.slot(b), c })
    }

    /// `base[index]` or `base->field` as one operation: an optional sign extension of the index, the address, and the load or store
    /// that alone uses it. How many instructions that takes, and the operation.
    pub(super) fn join_access(&self, insts: &[Inst]) -> Option<(usize, Op)> {
        if self.pointer_bits != 64 {
            return None;
        }
        let (extension, rest) = match insts {
            [Inst::Cast { op: CastOp::SignExtend, from, to, dst, src }, rest @ ..]
                if *to == Type::I64 && self.uses[dst.index()] == 1 =>
            {
                (Some((*dst, *src, *from)), rest)
            }
            _ => (None, insts),
        };
        let [Inst::Address { dst: address, base, offset, first_term, terms }, access, ..] = rest else { return None };
        if self.uses[address.index()] != 1 {
            return None;
        }
        let (value, is_store, bytes) = self.whole_bytes_access(access, *address)?;
        let length = 2 + usize::from(extension.is_some());
        let (a, terms) = (self.slot(*base), self.body.terms(*first_term, *terms));
        match (terms, extension) {
            ([], None) => {
                let c = *offset as u32;
                let op = if is_store {
                    Op { code: OpCode::StoreOffset, x: bytes, y: 0, dst: 0, a, b: value, c }
                } else {
                    Op { code: OpCode::LoadOffset, x: bytes, y: 0, dst: value, a, b: a, c }
                };
                Some((length, op))
            }
            ([term], _) if *offset == 0 => {
                let c = i32::try_from(term.scale).ok()? as u32;
                let (index, ty) = match extension {
                    Some((dst, src, from)) if term.index.as_reg() == Some(dst) => (src, from),
                    Some(_) => return None,
                    None => (term.index, term.ty),
                };
                let x = self.shift(ty)?;
                let code = if is_store { OpCode::StoreIndex } else { OpCode::LoadIndex };
                Some((length, Op { code, x, y: bytes, dst: value, a, b: self.slot(index), c }))
            }
            _ => None,
        }
    }

    /// A load from or store to this address of a type that fills its bytes: where the value is, whether it is a store, bytes.
    fn whole_bytes_access(&self, inst: &Inst, at: Reg) -> Option<(Slot, bool, u8)> {
        let (ty, value, is_store) = match *inst {
            Inst::Load { ty, dst, address, .. } if address.as_reg() == Some(at) => (ty, self.register(dst), false),
            Inst::Store { ty, address, value, .. } if address.as_reg() == Some(at) => (ty, self.slot(value), true),
            _ => return None,
        };
        let bits = self.width(ty);
        (bits <= 64 && bits.is_multiple_of(8)).then_some((value, is_store, (bits / 8) as u8))
    }

    /// One instruction; `None` if it is left to `step`.
    pub(super) fn compile_inst(&mut self, inst: &Inst) -> Option<()> {
        let op = match *inst {
            Inst::Binary { flags, .. } if self.signed_overflow && flags.no_signed_wrap() => return None,
            Inst::Binary { op, ty, rhs, .. } if self.signed_overflow && self.may_shift_too_far(op, ty, rhs) => {
                return None;
            }
            Inst::Binary { op, ty, flags: _, dst, lhs, rhs } => self.binary(op, ty, dst, lhs, rhs)?,
            Inst::IntCompare { predicate, ty, dst, lhs, rhs } => self.compare(predicate, ty, dst, lhs, rhs)?,
            Inst::Cast { op, from, to, dst, src } => self.cast(op, from, to, dst, src)?,
            Inst::Address { dst, base, offset, first_term, terms } => {
                return self.address(dst, base, offset, first_term, terms);
            }
            Inst::Load { ty, dst, address, .. } => {
                let (y, x) = (self.shift(ty)?, ty.store_bytes(self.pointer_bits) as u8);
                Op { code: OpCode::Load, x, y, dst: self.register(dst), a: self.slot(address), b: 0, c: 0 }
            }
            Inst::Store { ty, address, value, .. } => {
                self.shift(ty)?;
                let x = ty.store_bytes(self.pointer_bits) as u8;
                Op { code: OpCode::Store, x, y: 0, dst: 0, a: self.slot(address), b: self.slot(value), c: 0 }
            }
            Inst::Select { ty, dst, condition, if_true, if_false } => {
                self.shift(ty)?;
                let (a, b, c) = (self.slot(condition), self.slot(if_true), self.slot(if_false));
                Op { code: OpCode::Select, x: 0, y: 0, dst: self.register(dst), a, b, c }
            }
            Inst::FloatBinary { op, ty, dst, lhs, rhs } => {
                let code = float_code(op, ty)?;
                Op { code, x: 0, y: 0, dst: self.register(dst), a: self.slot(lhs), b: self.slot(rhs), c: 0 }
            }
            Inst::FloatCompare { predicate, ty, dst, lhs, rhs } => {
                let code = match ty {
                    Type::DOUBLE => OpCode::DoubleCompare,
                    Type::SINGLE => OpCode::SingleCompare,
                    _ => return None,
                };
                Op { code, x: predicate.0, y: 0, dst: self.register(dst), a: self.slot(lhs), b: self.slot(rhs), c: 0 }
            }
            Inst::Freeze { ty, dst, src } | Inst::Copy { ty, dst, src } => {
                self.shift(ty)?;
                self.move_op(dst, src)
            }
            Inst::Call { call } if self.inline_call(call).is_some() => return Some(()),
            Inst::Call { call } => Op { code: OpCode::Call, x: 0, y: 0, dst: 0, a: 0, b: 0, c: call.as_u32() },
            Inst::FloatNegate { .. } | Inst::Alloca { .. } | Inst::Marker => return None,
        };
        self.emit(op);
        let choice = inst.dst().and_then(|dst| Some((dst, self.choices.number(self.function, dst)?)));
        if let Some((condition, c)) = choice {
            self.emit(Op { code: OpCode::Choice, x: 0, y: 0, dst: 0, a: self.register(condition), b: 0, c });
        }
        Some(())
    }

    /// Whether an operation shifts by an amount that nobody knows to be small enough.
    fn may_shift_too_far(&self, op: BinaryOp, ty: Type, amount: Operand) -> bool {
        let known = amount.as_const().and_then(|constant| self.constants[constant.index()].as_word());
        let is_small = known.is_some_and(|amount| amount < u64::from(ty.int_bits()));
        matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) && !is_small
    }

    fn move_op(&self, dst: Reg, src: Operand) -> Op {
        let a = self.slot(src);
        Op { code: OpCode::Move, x: 0, y: 0, dst: self.register(dst), a, b: a, c: 0 }
    }

    fn binary(&self, op: BinaryOp, ty: Type, dst: Reg, lhs: Operand, rhs: Operand) -> Option<Op> {
        let shift = self.shift(ty)?;
        let (code, x, y) = match op {
            BinaryOp::Add => (OpCode::Add, shift, 0),
            BinaryOp::Sub => (OpCode::Sub, shift, 0),
            BinaryOp::Mul => (OpCode::Mul, shift, 0),
            BinaryOp::And => (OpCode::And, 0, 0),
            BinaryOp::Or => (OpCode::Or, 0, 0),
            BinaryOp::Xor => (OpCode::Xor, 0, 0),
            other => (OpCode::Binary, 64 - shift, other as u8),
        };
        Some(Op { code, x, y, dst: self.register(dst), a: self.slot(lhs), b: self.slot(rhs), c: 0 })
    }

    fn compare(&self, predicate: IntPredicate, ty: Type, dst: Reg, lhs: Operand, rhs: Operand) -> Option<Op> {
        let x = self.shift(ty)?;
        let (code, swapped) = match predicate {
            IntPredicate::Eq => (OpCode::Equal, false),
            IntPredicate::Ne => (OpCode::NotEqual, false),
            IntPredicate::Ult => (OpCode::LessUnsigned, false),
            IntPredicate::Ugt => (OpCode::LessUnsigned, true),
            IntPredicate::Ule => (OpCode::LessEqualUnsigned, false),
            IntPredicate::Uge => (OpCode::LessEqualUnsigned, true),
            IntPredicate::Slt => (OpCode::LessSigned, false),
            IntPredicate::Sgt => (OpCode::LessSigned, true),
            IntPredicate::Sle => (OpCode::LessEqualSigned, false),
            IntPredicate::Sge => (OpCode::LessEqualSigned, true),
        };
        let (a, b) = if swapped { (rhs, lhs) } else { (lhs, rhs) };
        Some(Op { code, x, y: 0, dst: self.register(dst), a: self.slot(a), b: self.slot(b), c: 0 })
    }

    fn cast(&mut self, op: CastOp, from: Type, to: Type, dst: Reg, src: Operand) -> Option<Op> {
        let (from_shift, to_shift) = (self.shift(from)?, self.shift(to)?);
        let a = self.slot(src);
        let (code, x, y) = match op {
            CastOp::SignExtend => (OpCode::SignExtend, from_shift, to_shift),
            CastOp::Trunc => (OpCode::Truncate, to_shift, 0),
            CastOp::ZeroExtend | CastOp::Bitcast => return Some(self.move_op(dst, src)),
            CastOp::PointerToInt | CastOp::IntToPointer if to_shift <= from_shift => {
                return Some(self.move_op(dst, src));
            }
            CastOp::PointerToInt | CastOp::IntToPointer => (OpCode::Truncate, to_shift, 0),
            _ => {
                self.code.conversions.push(Conversion { op, from, to });
                let c = self.code.conversions.len() as u32 - 1;
                return Some(Op { code: OpCode::Convert, x: 0, y: 0, dst: self.register(dst), a, b: a, c });
            }
        };
        Some(Op { code, x, y, dst: self.register(dst), a, b: a, c: 0 })
    }

    /// The constant part first, then one operation for each term; the destination collects the sum.
    fn address(&mut self, dst: Reg, base: Operand, offset: i32, first_term: u32, terms: u16) -> Option<()> {
        let terms = self.body.terms(first_term, terms);
        let fits = |scale: i64| i32::try_from(scale).is_ok();
        if !terms.iter().all(|term| fits(term.scale) && matches!(term.ty.kind(), TypeKind::Int(..=64))) {
            return None;
        }
        let pointer = 64 - self.pointer_bits as u8;
        let result = self.register(dst);
        let mut a = self.slot(base);
        if offset != 0 || terms.is_empty() {
            self.emit(Op { code: OpCode::Offset, x: pointer, y: 0, dst: result, a, b: a, c: offset as u32 });
            a = result;
        }
        for term in terms {
            let (b, x) = (self.slot(term.index), 64 - term.ty.int_bits() as u8);
            self.emit(Op { code: OpCode::Index, x, y: pointer, dst: result, a, b, c: term.scale as i32 as u32 });
            a = result;
        }
        Some(())
    }

    fn compile_terminator(&mut self, terminator: &Terminator) {
        let op = |code, a, b, c| Op { code, x: 0, y: 0, dst: 0, a, b, c };
        match terminator {
            Terminator::Jump(edge) => self.emit(op(OpCode::Jump, 0, 0, edge.as_u32())),
            Terminator::Branch { condition, if_true, if_false } => {
                let a = self.slot(*condition);
                self.emit(op(OpCode::Branch, a, if_true.as_u32(), if_false.as_u32()));
            }
            Terminator::Switch { value, table, .. } => {
                let table = &self.body.switches[*table];
                let cases = table.cases.iter().map(|(value, edge)| (*value, edge.as_u32())).collect();
                self.code.switches.push(CodeSwitch { cases, default: table.default.as_u32() });
                let (a, c) = (self.slot(*value), self.code.switches.len() as u32 - 1);
                self.emit(op(OpCode::Switch, a, a, c));
            }
            Terminator::Return(values) => {
                let values = values.iter().map(|value| self.slot(*value)).collect();
                let weight = self.body.blocks[self.origin.block].insts.len() as u32 + 1;
                self.code.returns.push(CodeReturn { values, weight });
                self.emit(op(OpCode::Return, 0, 0, self.code.returns.len() as u32 - 1));
            }
            _ => self.general(),
        }
    }

    fn compile_calls(&mut self) {
        for data in self.body.calls.values() {
            let target = match &data.callee {
                Callee::Direct(function) if !convention::agrees(data, &self.program.functions[*function]) => None,
                Callee::Direct(function) => Some(CodeTarget::Function(*function)),
                Callee::Indirect(pointer) => Some(CodeTarget::Pointer(self.slot(*pointer))),
                Callee::Intrinsic(..) | Callee::Unsupported(_) => None,
            };
            let call = target.filter(|_| data.by_value.is_empty()).map(|target| CodeCall {
                target,
                args: data.args.iter().map(|arg| self.slot(*arg)).collect(),
                results: data.results.iter().map(|result| self.register(*result)).collect(),
                signature: self.signatures.of_call(data),
            });
            self.code.calls.push(call);
        }
    }

    fn compile_edges(&mut self) {
        for (id, edge) in self.body.edges.iter() {
            debug_assert_eq!(id.index(), self.code.edges.len());
            let first_copy = self.code.copies.len() as u32;
            self.compile_copies(id);
            self.code.edges.push(CodeEdge {
                first_copy,
                copies: self.code.copies.len() as u32 - first_copy,
                target: self.code.starts[edge.target.index()],
                weight: self.body.blocks[edge.source].insts.len() as u32 + 1,
            });
        }
    }

    /// Orders an edge's parallel copies so that none overwrites what a later one reads; a cycle goes through the scratch word.
    fn compile_copies(&mut self, id: EdgeId) {
        let edge = &self.body.edges[id];
        let scratch = self.code.template.len() as Slot - 1;
        let params = &self.body.blocks[edge.target].params;
        let mut pending: Vec<(Slot, Slot)> =
            params.iter().zip(&edge.args).map(|(param, arg)| (self.register(*param), self.slot(*arg))).collect();
        pending.retain(|(to, from)| to != from);
        let mut readers: FxHashMap<Slot, u32> = FxHashMap::default();
        pending.iter().for_each(|(_, from)| *readers.entry(*from).or_default() += 1);
        while !pending.is_empty() {
            let before = pending.len();
            pending.retain(|(to, from)| {
                let waits = readers.get(to).is_some_and(|count| *count > 0);
                if !waits {
                    self.code.copies.push((*to, *from));
                    readers.entry(*from).and_modify(|count| *count -= 1);
                }
                waits
            });
            if pending.len() == before {
                // Every destination is still to be read: save one, and let its readers read the copy.
                let saved = pending[0].0;
                self.code.copies.push((scratch, saved));
                pending.iter_mut().filter(|(_, from)| *from == saved).for_each(|(_, from)| *from = scratch);
                readers.insert(saved, 0);
            }
        }
    }
}

fn float_code(op: FloatOp, ty: Type) -> Option<OpCode> {
    let single = match ty {
        Type::SINGLE => true,
        Type::DOUBLE => false,
        _ => return None,
    };
    Some(match (op, single) {
        (FloatOp::Add, true) => OpCode::SingleAdd,
        (FloatOp::Sub, true) => OpCode::SingleSub,
        (FloatOp::Mul, true) => OpCode::SingleMul,
        (FloatOp::Div, true) => OpCode::SingleDiv,
        (FloatOp::Add, false) => OpCode::DoubleAdd,
        (FloatOp::Sub, false) => OpCode::DoubleSub,
        (FloatOp::Mul, false) => OpCode::DoubleMul,
        (FloatOp::Div, false) => OpCode::DoubleDiv,
        (FloatOp::Rem, _) => return None,
    })
}
