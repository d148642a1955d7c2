//! Checks of our own for undefined behaviour that the machine passes over in silence, or tells in other words.

use smallvec::smallvec;
use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Bits, Expr, Value, word};
use symcrete_ir::{BinaryOp, Body, CastOp, Inst, Operand as Source};

use super::Stop;
use super::general::General;
use super::symbolic::Symbolic;
use crate::outcome::{Alternative, Ended, Fact, Fork, Then};
use crate::state::Frame;
use crate::undefined::{Check, Kind, Known, Operand, Undefined};

impl General<'_> {
    /// A shift by as many bits as its type has, or more; only where the user asks for overflows.
    pub(super) fn check_shift(
        &mut self,
        frame: &Frame,
        op: BinaryOp,
        width: u32,
        (value, amount): (&Value, &Value),
    ) -> Result<(), Stop> {
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr);
        let is_own = !self.image.program.functions[frame.function].runtime;
        if !(self.config.signed_overflow && is_shift && is_own && amount.is_defined()) {
            return Ok(());
        }
        let is_small = match amount {
            Value::Expr(expr) => {
                let most = self.symbolic.arena.word(width, u64::from(width));
                let small = self.symbolic.arena.compare(Op::UnsignedLess, *expr, most);
                self.decided(small)?
            }
            amount => amount.to_bits(width).to_u64().is_some_and(|amount| amount < u64::from(width)),
        };
        if is_small {
            return Ok(());
        }
        let check = Check::Shift { ty: String::new(), bits: width };
        let operands = [(value, false), (amount, true)].map(|(value, signed)| {
            let value = match value {
                Value::Expr(expr) => Known::Open(*expr),
                other => Known::Bits(other.to_bits(width).low_u128()),
            };
            Operand { value, ty: Kind::Integer { bits: width, signed } }
        });
        Err(Ended::Undefined(Box::new(Undefined::new(check, operands))).into())
    }

    /// An array whose length is a variable with a negative number in it: compilers take it for a large one.
    pub(super) fn check_array_bound(&mut self, body: &Body, frame: &Frame, count: Source) -> Result<(), Stop> {
        let Some(register) = count.as_reg() else { return Ok(()) };
        let value = self.get(frame, count);
        // Zero may be the product of a negative bound and zero.
        if value.as_word().is_some_and(|count| (1..1 << 31).contains(&count)) {
            return Ok(());
        }
        let width = body.registers[register].bits(self.image.pointer_bits());
        let of_register = |inst: &&Inst| inst.dst() == Some(register);
        let definition = body.blocks.values().flat_map(|block| &block.insts).find(of_register);
        // Of arrays of arrays, each bound is one.
        if let Some(Inst::Binary { op: BinaryOp::Mul, lhs, rhs, .. }) = definition {
            self.check_array_bound(body, frame, *lhs)?;
            return self.check_array_bound(body, frame, *rhs);
        }
        let bits = match definition {
            Some(Inst::Cast { op: CastOp::ZeroExtend, from, .. }) => u32::from(from.int_bits()),
            _ => u32::from(width),
        };
        let (is_negative, known) = match value {
            Value::Expr(expr) => {
                let bound = self.symbolic.resize(expr, bits, false);
                let zero = self.symbolic.arena.word(bits, 0);
                let negative = self.symbolic.arena.compare(Op::SignedLess, bound, zero);
                (self.decided(negative)?, Known::Open(bound))
            }
            Value::Word(count) => {
                let bound = word::truncate(bits, count);
                (bound & word::sign_bit(bits) != 0, Known::Bits(u128::from(bound)))
            }
            _ => return Ok(()),
        };
        match is_negative {
            false => Ok(()),
            true => {
                let operand = Operand { value: known, ty: Kind::Integer { bits, signed: true } };
                Err(Ended::Undefined(Box::new(Undefined::new(Check::ArrayBound, [operand]))).into())
            }
        }
    }

    fn decided(&mut self, condition: Expr) -> Result<bool, Stop> {
        decided(self.symbolic.arena, self.known, condition)
    }
}

/// The absolute value of the least number, which has none; only where the compiler promises that it does not happen.
pub(super) fn check_absolute(symbolic: &mut Symbolic, known: &[Fact], width: u32, args: &[Value]) -> Result<(), Stop> {
    let [value, Value::Word(1)] = args else { return Ok(()) };
    let is_least = match value {
        Value::Expr(expr) => {
            let mut least = Bits::zero(width);
            least.set_bit(width - 1, true);
            let least = symbolic.arena.constant(&least);
            let equal = symbolic.arena.compare(Op::Equal, *expr, least);
            decided(symbolic.arena, known, equal)?
        }
        value if !value.is_defined() => false,
        value => value.to_bits(width).is_negative() && value.to_bits(width).trunc(width - 1).is_zero(),
    };
    if is_least { Err(Ended::SignedOverflow.into()) } else { Ok(()) }
}

/// Whether a condition holds on a path of which this is known; asks if that is not decided.
fn decided(arena: &mut Arena, known: &[Fact], condition: Expr) -> Result<bool, Stop> {
    let opposite = arena.not(condition);
    match arena.as_word(condition) {
        Some(decided) => Ok(decided != 0),
        None if known.contains(&Fact::Holds(condition)) => Ok(true),
        None if known.contains(&Fact::Holds(opposite)) => Ok(false),
        None => {
            let know = |condition| Alternative { condition, then: Then::Know(Fact::Holds(condition)) };
            Err(Stop::Fork(Fork { alternatives: smallvec![know(condition), know(opposite)] }))
        }
    }
}
