//! What one instruction, or one call, that only computes gives, on operands that are expressions: the same meaning that `step` has for them, for those who
//! execute backward, where nothing is known but names.

use smallvec::SmallVec;
use symcrete_expr::{Arena, Expr, Value};
use symcrete_ir::{BinaryOp, Body, CallData, Callee, CastOp, FuncId, Inst, Intrinsic, Operand, Type};

use crate::external::{External, math};
use crate::opaque::{self, Calls, Opaque};
use crate::step::symbolic::Symbolic;
use crate::{Config, Image};

/// Gives the expression of an operand, of this type.
pub type Operands<'a> = dyn FnMut(&mut Arena, Operand, Type) -> Expr + 'a;

/// The value of the register that an instruction writes; `None` if it does more than compute.
pub fn computed(image: &Image, arena: &mut Arena, body: &Body, inst: &Inst, operand: &mut Operands) -> Option<Expr> {
    let pointer_bits = image.pointer_bits();
    let bits = |ty: Type| u32::from(ty.bits(pointer_bits));
    let mut notes = Vec::new();
    let value = match *inst {
        Inst::Binary { op, ty, lhs, rhs, .. } => {
            let (a, b) = (Value::Expr(operand(arena, lhs, ty)), Value::Expr(operand(arena, rhs, ty)));
            Symbolic { arena, notes: &mut notes }.binary(op, bits(ty), &a, &b)
        }
        Inst::IntCompare { predicate, ty, lhs, rhs, .. } => {
            let (a, b) = (Value::Expr(operand(arena, lhs, ty)), Value::Expr(operand(arena, rhs, ty)));
            Symbolic { arena, notes: &mut notes }.compare(predicate, bits(ty), &a, &b)
        }
        Inst::FloatBinary { op, ty, lhs, rhs, .. } => {
            let (a, b) = (Value::Expr(operand(arena, lhs, ty)), Value::Expr(operand(arena, rhs, ty)));
            Symbolic { arena, notes: &mut notes }.float_binary(op, ty, &a, &b)
        }
        Inst::FloatCompare { predicate, ty, lhs, rhs, .. } => {
            let (a, b) = (Value::Expr(operand(arena, lhs, ty)), Value::Expr(operand(arena, rhs, ty)));
            Symbolic { arena, notes: &mut notes }.float_compare(predicate, ty, &a, &b)
        }
        Inst::FloatNegate { ty, src, .. } => {
            let a = Value::Expr(operand(arena, src, ty));
            Symbolic { arena, notes: &mut notes }.float_negate(ty, &a)
        }
        Inst::Cast { op, from, to, src, .. } => {
            let a = Value::Expr(operand(arena, src, from));
            Symbolic { arena, notes: &mut notes }.cast(op, from, to, pointer_bits, &a)
        }
        Inst::Select { ty, condition, if_true, if_false, .. } => {
            let condition = Value::Expr(operand(arena, condition, Type::BOOL));
            let (a, b) = (Value::Expr(operand(arena, if_true, ty)), Value::Expr(operand(arena, if_false, ty)));
            Symbolic { arena, notes: &mut notes }.select(bits(ty), &condition, &a, &b)
        }
        Inst::Freeze { ty, src, .. } | Inst::Copy { ty, src, .. } => Value::Expr(operand(arena, src, ty)),
        Inst::Address { base, offset, first_term, terms, .. } => {
            let pointer = Type::int(pointer_bits);
            let mut address = Value::Expr(operand(arena, base, pointer));
            let word = |bits: i64| Value::Word(crate::step::arithmetic::truncate(pointer_bits, bits as u64));
            address = Symbolic { arena, notes: &mut notes }.binary(
                BinaryOp::Add,
                bits(pointer),
                &address,
                &word(offset.into()),
            );
            for term in body.terms(first_term, terms) {
                let index = Value::Expr(operand(arena, term.index, term.ty));
                let mut symbolic = Symbolic { arena, notes: &mut notes };
                let index = match term.ty.int_bits().cmp(&pointer_bits) {
                    std::cmp::Ordering::Equal => index,
                    std::cmp::Ordering::Less => {
                        symbolic.cast(CastOp::SignExtend, term.ty, pointer, pointer_bits, &index)
                    }
                    std::cmp::Ordering::Greater => symbolic.cast(CastOp::Trunc, term.ty, pointer, pointer_bits, &index),
                };
                let step = symbolic.binary(BinaryOp::Mul, bits(pointer), &index, &word(term.scale));
                address = symbolic.binary(BinaryOp::Add, bits(pointer), &address, &step);
            }
            address
        }
        Inst::Load { .. } | Inst::Store { .. } | Inst::Alloca { .. } | Inst::Call { .. } | Inst::Marker => return None,
    };
    let width = inst.dst().map_or(0, |dst| bits(body.registers[dst]));
    Some(Symbolic { arena, notes: &mut notes }.expr(width, &value))
}

/// The calls that only compute: intrinsics, libm, and functions that the user says are pure.
pub struct Called {
    config: Config,
    opaque: Opaque,
}

impl Called {
    pub fn new(image: &Image, config: &Config) -> Called {
        Called { config: config.clone(), opaque: Opaque::new(&image.program, config) }
    }

    /// What a call gives if it returns, for each of its results; `None` if it does more than compute. What libm writes besides is for
    /// others to say.
    pub fn results(
        &mut self,
        image: &Image,
        arena: &mut Arena,
        data: &CallData,
        operand: &mut Operands,
    ) -> Option<SmallVec<[Expr; 2]>> {
        let pointer_bits = image.pointer_bits();
        let bits = |ty: Type| u32::from(ty.bits(pointer_bits));
        match &data.callee {
            Callee::Intrinsic(intrinsic, ty) if computes(*intrinsic) => {
                let mut notes = Vec::new();
                let arguments = arguments(arena, data, operand);
                let mut symbolic = Symbolic { arena, notes: &mut notes };
                let args: SmallVec<[Value; 4]> = arguments.iter().map(|expr| symbolic.value(*expr)).collect();
                let results = match intrinsic {
                    Intrinsic::PointerMask => {
                        [symbolic.binary(BinaryOp::And, bits(*ty), &args[0], &args[1])].into_iter().collect()
                    }
                    _ => symbolic.intrinsic(*intrinsic, *ty, pointer_bits, &args, data.result_types.first().copied()),
                };
                let exprs = results.iter().zip(&data.result_types).map(|(value, ty)| symbolic.expr(bits(*ty), value));
                Some(exprs.collect())
            }
            Callee::Direct(function) if self.is_pure(image, *function) => {
                let signature = opaque::signature(&image.program, *function, data).ok()?;
                let kind = signature.result?;
                let widths: SmallVec<[u32; 4]> = signature.parameters.iter().map(|kind| kind.bits()).collect();
                let entry = self.opaque.entry(&image.program, &self.config, arena, *function, signature).ok()?;
                let arguments = arguments(arena, data, operand);
                let fits = arguments.iter().map(|argument| arena.width(*argument)).eq(widths);
                fits.then(|| [arena.call(entry.result, kind.bits(), &arguments)].into_iter().collect())
            }
            Callee::Direct(function) => {
                let Some(External::Math(known)) = image.external(*function) else { return None };
                if self.config.calls != Calls::Symbolic {
                    return None;
                }
                let arguments = arguments(arena, data, operand);
                let mut notes = Vec::new();
                let mut symbolic = Symbolic { arena, notes: &mut notes };
                let result = math::returned(&mut symbolic, &self.config, known, pointer_bits, &arguments)?;
                let fits = data.result_types.first().is_some_and(|ty| bits(*ty) == symbolic.arena.width(result));
                fits.then(|| [result].into_iter().collect())
            }
            _ => None,
        }
    }

    /// Whether a function has no body and is said to be pure.
    pub fn is_pure(&self, image: &Image, function: FuncId) -> bool {
        self.config.calls == Calls::Symbolic
            && self.opaque.is_pure(function)
            && image.program.functions[function].body.is_none()
            && image.external(function).is_none()
            // Native code is called as 64-bit code only.
            && image.pointer_bits() == 64
            && self.opaque.helper().is_some()
    }
}

fn arguments(arena: &mut Arena, data: &CallData, operand: &mut Operands) -> SmallVec<[Expr; 4]> {
    data.args.iter().zip(&data.arg_types).map(|(arg, ty)| operand(arena, *arg, *ty)).collect()
}

/// Whether an intrinsic gives a value that depends on nothing but its arguments.
fn computes(intrinsic: Intrinsic) -> bool {
    use Intrinsic::*;
    !matches!(
        intrinsic,
        MemoryCopy
            | MemoryMove
            | MemorySet
            | VaStart
            | VaCopy
            | VaArg
            | VaEnd
            | StackSave
            | StackRestore
            | ReturnAddress
            | FrameAddress
            | Trap
            | Assume
            | CycleCounter
    )
}
