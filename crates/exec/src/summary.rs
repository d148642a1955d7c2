//! What one instruction that only computes gives, on operands that are expressions: the same meaning that `step` has for them, for those who
//! execute backward, where nothing is known but names.

use symcrete_expr::{Arena, Expr, Value};
use symcrete_ir::{BinaryOp, Body, CastOp, Inst, Operand, Type};

use crate::Image;
use crate::step::symbolic::Symbolic;

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
