//! `llvm.objectsize`: how many bytes are left behind a pointer, where the code itself says which object it points into, as LLVM's code generator
//! finds out without optimisation. Elsewhere the answer is "unknown".

use symcrete_ir::{BinaryOp, Constant, Inst, Operand, Reg, Type};

use super::Result;
use super::function::FunctionLowering;
use super::intrinsics::argument;
use super::lanes::Arithmetic;
use crate::module::{Call, GlobalKind, Instruction};

/// More steps from a pointer to its object are not taken.
const LONGEST_WAY: usize = 64;

/// What a pointer is made from, and how far it is from the beginning.
enum Origin {
    Bytes(u64),
    /// A number that the program computes, times so many bytes.
    Product(Operand, u64),
}

impl FunctionLowering<'_, '_> {
    /// The arguments are the pointer; whether unknown is 0; whether null is unknown; whether code may compute the size.
    pub fn object_size(&mut self, instruction: &Instruction, call: &Call) -> Result<()> {
        let ty = self.lane_type(instruction)?;
        let pointer = self.scalar(argument(call, 0)?)?;
        let mut flags = [false; 3];
        for (at, flag) in flags.iter_mut().enumerate() {
            if let Some(value) = call.arguments.get(at + 1) {
                let value = self.scalar(*value)?;
                *flag = self.lowering.known_integer(value).is_some_and(|it| it != 0);
            }
        }
        let [wants_minimum, null_is_unknown, is_dynamic] = flags;
        let is_null = pointer.as_const().and_then(|constant| self.lowering.known_word(constant)) == Some(0);
        let size = match self.origin(pointer) {
            _ if is_null && !null_is_unknown => self.word(ty, 0),
            Some((Origin::Bytes(bytes), offset)) => {
                let left = u64::try_from(offset).map_or(0, |offset| bytes.saturating_sub(offset));
                self.word(ty, left)
            }
            Some((Origin::Product(count, bytes), 0)) if is_dynamic => {
                let (count, bytes) = (self.resized(count, ty)?, self.word(ty, bytes));
                self.binary(BinaryOp::Mul, ty, count, bytes)?
            }
            _ => self.word(ty, if wants_minimum { 0 } else { u64::MAX >> (64 - ty.bits(64).min(64)) }),
        };
        self.define_one(instruction, size)
    }

    fn resized(&mut self, operand: Operand, ty: Type) -> Result<Operand> {
        let from = self.type_of(operand);
        let op = match from.bits(64).cmp(&ty.bits(64)) {
            std::cmp::Ordering::Equal => return Ok(operand),
            std::cmp::Ordering::Less => symcrete_ir::CastOp::ZeroExtend,
            std::cmp::Ordering::Greater => symcrete_ir::CastOp::Trunc,
        };
        self.cast(op, from, ty, operand)
    }

    /// The object that a pointer was made from, and the distance from its beginning.
    fn origin(&self, mut pointer: Operand) -> Option<(Origin, i64)> {
        let mut distance = 0i64;
        for _ in 0..LONGEST_WAY {
            if let Some(constant) = pointer.as_const() {
                let Constant::Global { global, offset } = self.lowering.program.constants[constant] else {
                    return None;
                };
                let global = &self.lowering.program.globals[global];
                let is_defined_here = self.unit.module.globals.values().any(|own| {
                    own.name == global.name && matches!(own.kind, GlobalKind::Variable(_)) && !own.is_declaration()
                });
                return is_defined_here.then_some((Origin::Bytes(global.size), distance.checked_add(offset)?));
            }
            match *self.definition(pointer.as_reg()?)? {
                Inst::Address { base, offset, terms: 0, .. } => {
                    distance = distance.checked_add(offset.into())?;
                    pointer = base;
                }
                Inst::Copy { src, .. } | Inst::Freeze { src, .. } => pointer = src,
                Inst::Alloca { count, element_bytes, .. } => {
                    let bytes = u64::from(element_bytes);
                    return Some(
                        match self.lowering.known_integer(count).and_then(|count| u64::try_from(count).ok()) {
                            Some(count) => (Origin::Bytes(count.saturating_mul(bytes)), distance),
                            None => (Origin::Product(count, bytes), distance),
                        },
                    );
                }
                _ => return None,
            }
        }
        None
    }

    /// The instruction that makes a register.
    fn definition(&self, register: Reg) -> Option<&Inst> {
        let is_it = |inst: &&Inst| inst.dst() == Some(register);
        let earlier = self.body.blocks.values().flat_map(|block| &block.insts);
        self.current().iter().chain(earlier).find(is_it)
    }
}
