//! Intrinsics that libm computes: calls of its functions by their C names, so that the program's own libm is asked.

use symcrete_ir::{Callee, CastOp, FloatKind, FloatOp, FuncId, Operand, Type};

use super::function::FunctionLowering;
use super::intrinsics::argument;
use super::lanes::Arithmetic;
use super::{Result, malformed, unsupported};
use crate::module::{Call, Instruction};

impl FunctionLowering<'_, '_> {
    /// A function of libm for the type of its first argument.
    fn library_function(&mut self, name: &str, suffix_type: Type, args: &[Operand], result: Type) -> Result<FuncId> {
        let params: Vec<Type> = args.iter().map(|arg| self.type_of(*arg)).collect();
        let full_name = match suffix_type.float_kind() {
            Some(FloatKind::Double) => name.to_owned(),
            Some(FloatKind::Single) => format!("{name}f"),
            Some(FloatKind::X87) => format!("{name}l"),
            Some(FloatKind::Quad) => format!("{name}f128"),
            _ => return Err(unsupported(format!("`{name}` of a float of 16 bits"))),
        };
        self.lowering.function_by_name(self.unit_index, &full_name, &params, &[result])
    }

    fn call_library(&mut self, name: &str, args: &[Operand], result: Type) -> Result<Operand> {
        let ty = self.type_of(args[0]);
        let function = self.library_function(name, ty, args, result)?;
        self.call_function(function, args, result)
    }

    fn call_function(&mut self, function: FuncId, args: &[Operand], result: Type) -> Result<Operand> {
        let results = self.push_call(Callee::Direct(function), args, &[result])?;
        results.first().map(|reg| (*reg).into()).ok_or_else(|| malformed("a call without its result"))
    }

    pub fn library(&mut self, instruction: &Instruction, call: &Call, name: &str, count: usize) -> Result<()> {
        let result = self.lane_type(instruction)?;
        let first = argument(call, 0)?;
        if count == 1 {
            return self.lanewise(instruction, [first], |this, args| this.call_library(name, &args, result));
        }
        let values = [first, argument(call, 1)?];
        self.lanewise(instruction, values, |this, args| this.call_library(name, &args, result))
    }

    /// `lrint` and its like return `long` or `long long`, of which the intrinsic may want fewer bits.
    pub fn library_integer(&mut self, instruction: &Instruction, call: &Call, name: &str) -> Result<()> {
        let wanted = self.lane_type(instruction)?;
        let is_long = !name.starts_with("ll");
        let returned = if is_long { Type::int(self.pointer_bits()) } else { Type::I64 };
        self.lanewise(instruction, [argument(call, 0)?], |this, args| {
            let result = this.call_library(name, &args, returned)?;
            match wanted.bits(0).cmp(&returned.bits(0)) {
                std::cmp::Ordering::Less => this.convert(CastOp::Trunc, wanted, result),
                std::cmp::Ordering::Equal => Ok(result),
                std::cmp::Ordering::Greater => this.convert(CastOp::SignExtend, wanted, result),
            }
        })
    }

    /// `frexp` and `modf`: the second result comes back in memory.
    pub fn library_pair(&mut self, instruction: &Instruction, call: &Call, name: &str) -> Result<()> {
        let lanes = self.list(argument(call, 0)?)?;
        let shape = self.lowering.shape(self.unit_index, instruction.ty)?;
        let second_type = *shape.scalars.last().ok_or_else(|| malformed("a result of a strange type"))?;
        let slot = match self.scratch {
            Some(slot) => slot,
            None => {
                let slot = self.register(Type::POINTER);
                self.scratch = Some(slot);
                slot
            }
        };
        let mut firsts = Vec::with_capacity(2 * lanes.len());
        let mut seconds = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let ty = self.type_of(lane);
            firsts.push(self.call_library(name, &[lane, slot.into()], ty)?);
            seconds.push(self.load_scalar(second_type, slot.into(), false)?);
        }
        firsts.append(&mut seconds);
        self.define(instruction, &firsts)
    }

    pub fn sine_and_cosine(&mut self, instruction: &Instruction, call: &Call) -> Result<()> {
        let lanes = self.list(argument(call, 0)?)?;
        let mut results = Vec::with_capacity(2 * lanes.len());
        for name in ["sin", "cos"] {
            for lane in &lanes {
                let ty = self.type_of(*lane);
                results.push(self.call_library(name, &[*lane], ty)?);
            }
        }
        self.define(instruction, &results)
    }

    /// `llvm.powi`: what compiler-rt's `__powidf2` computes, in place if the exponent is known.
    pub fn integer_power(&mut self, instruction: &Instruction, call: &Call) -> Result<()> {
        let exponent = self.scalar(argument(call, 1)?)?;
        let known = self.lowering.known_integer(exponent);
        self.lanewise(instruction, [argument(call, 0)?], |this, [base]| match known {
            Some(known) => this.power_by_squaring(base, known),
            None => {
                let ty = this.type_of(base);
                let name = match ty.float_kind() {
                    Some(FloatKind::Single) => "__powisf2",
                    Some(FloatKind::Double) => "__powidf2",
                    Some(FloatKind::X87) => "__powixf2",
                    Some(FloatKind::Quad) => "__powitf2",
                    _ => return Err(unsupported("an integer power of a float of 16 bits")),
                };
                let params = [ty, this.type_of(exponent)];
                let function = this.lowering.function_by_name(this.unit_index, name, &params, &[ty])?;
                this.call_function(function, &[base, exponent], ty)
            }
        })
    }

    /// The multiplications of compiler-rt, in its order, since each one rounds.
    fn power_by_squaring(&mut self, base: Operand, exponent: i64) -> Result<Operand> {
        let ty = self.type_of(base);
        let one = self.lowering.float_one(ty)?;
        let mut rest = exponent.unsigned_abs();
        let mut square = base;
        let mut result = one;
        loop {
            if rest & 1 == 1 {
                result = self.float(FloatOp::Mul, result, square)?;
            }
            rest /= 2;
            if rest == 0 {
                break;
            }
            square = self.float(FloatOp::Mul, square, square)?;
        }
        if exponent < 0 { self.float(FloatOp::Div, one, result) } else { Ok(result) }
    }
}

impl super::Lowering<'_> {
    /// The number 1.
    fn float_one(&mut self, ty: Type) -> Result<Operand> {
        let limbs: &[u64] = match ty.float_kind() {
            Some(FloatKind::Half) => &[0x3C00],
            Some(FloatKind::BFloat) => &[0x3F80],
            Some(FloatKind::Single) => &[0x3F80_0000],
            Some(FloatKind::Double) => &[0x3FF0_0000_0000_0000],
            Some(FloatKind::X87) => &[0x8000_0000_0000_0000, 0x3FFF],
            Some(FloatKind::Quad) => &[0, 0x3FFF_0000_0000_0000],
            None => return Err(malformed("a power of something that is no float")),
        };
        Ok(self.wide(ty, limbs))
    }
}
