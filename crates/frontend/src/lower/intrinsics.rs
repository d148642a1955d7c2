//! Calls of LLVM's intrinsics, by the plans of `table`.

use symcrete_ir::{Callee, FloatOp, FloatPredicate, IntPredicate, Intrinsic, Operand, Type};

use super::function::FunctionLowering;
use super::lanes::Arithmetic;
use super::table::{Plan, plan};
use super::vectors::Reduction;
use super::{Result, malformed, unsupported};
use crate::module::{Attribute, AttributePlace, Call, GlobalId, Instruction, Type as LlvmType, Value};

impl FunctionLowering<'_, '_> {
    pub fn intrinsic(&mut self, instruction: &Instruction, call: &Call, callee: GlobalId) -> Result<()> {
        let known = self.lowering.caches[self.unit_index].plans[callee];
        let plan = match known {
            Some(plan) => plan,
            None => {
                let plan = plan(&self.unit.module.globals[callee].name);
                self.lowering.caches[self.unit_index].plans[callee] = Some(plan);
                plan
            }
        };
        self.carry_out(plan, instruction, call, callee)
    }

    fn carry_out(&mut self, plan: Plan, instruction: &Instruction, call: &Call, callee: GlobalId) -> Result<()> {
        match plan {
            Plan::Nothing => self.nothing(instruction),
            Plan::Debug => {
                self.debug_call(instruction, call);
                self.nothing(instruction)
            }
            Plan::Rename(at) => {
                let operands = self.list(argument(call, at)?)?;
                self.define(instruction, &operands)
            }
            Plan::Number(bits) => self.number(instruction, bits),
            Plan::Lanes(intrinsic, count) => self.lane_intrinsic(instruction, call, intrinsic, count),
            Plan::Overflow(intrinsic) => self.overflow(instruction, call, intrinsic),
            Plan::Scalars(intrinsic, count) => self.scalar_intrinsic(instruction, call, intrinsic, count),
            Plan::Copy(intrinsic) => {
                let is_volatile = self.scalar(argument(call, 3)?)?;
                let is_volatile = self.lowering.known_integer(is_volatile) != Some(0);
                self.scalar_intrinsic(instruction, call, intrinsic, if is_volatile { 4 } else { 3 })
            }
            Plan::Float(op) => {
                let values = [argument(call, 0)?, argument(call, 1)?];
                self.lanewise(instruction, values, |this, [lhs, rhs]| this.float(op, lhs, rhs))
            }
            Plan::Convert(op) => {
                let to = self.lane_type(instruction)?;
                self.lanewise(instruction, [argument(call, 0)?], |this, [src]| this.convert(op, to, src))
            }
            Plan::CompareFloats => self.compare_by_name(instruction, call),
            Plan::MultiplyAdd => self.multiply_add(instruction, call),
            Plan::Library(name, count) => self.library(instruction, call, name, count),
            Plan::LibraryInteger(name) => self.library_integer(instruction, call, name),
            Plan::LibraryPair(name) => self.library_pair(instruction, call, name),
            Plan::SineAndCosine => self.sine_and_cosine(instruction, call),
            Plan::IntegerPower => self.integer_power(instruction, call),
            Plan::Reduce(reduction, has_start) => self.reduction(instruction, call, reduction, has_start),
            Plan::MaskedLoad | Plan::MaskedStore | Plan::Gather | Plan::Scatter => {
                self.masked(instruction, call, plan, callee)
            }
            Plan::IsConstant => {
                let known = matches!(argument(call, 0)?, Value::Constant(_));
                let known = known && self.lane(argument(call, 0)?, 0).is_ok_and(|it| self.is_number(it));
                self.number(instruction, known.into())
            }
            Plan::ObjectSize => self.object_size(instruction, call),
            Plan::VectorInsert | Plan::VectorExtract | Plan::VectorReverse | Plan::StepVector => {
                self.vector_parts(instruction, call, plan)
            }
            Plan::FirstLane => self.first_lane(instruction, call),
            Plan::LoadRelative => self.load_relative(instruction, call),
            Plan::Unsupported => self.unknown_intrinsic(instruction, callee),
        }
    }

    fn unknown_intrinsic(&mut self, instruction: &Instruction, callee: GlobalId) -> Result<()> {
        let name = &self.unit.module.globals[callee].name;
        let name: String = name.chars().take(200).collect();
        self.unsupported_call(instruction, &format!("the intrinsic {name}"))
    }

    fn nothing(&mut self, instruction: &Instruction) -> Result<()> {
        self.no_marker = true;
        let undefined = self.undefined_list(instruction.ty)?;
        self.define(instruction, &undefined)
    }

    fn number(&mut self, instruction: &Instruction, bits: u64) -> Result<()> {
        let ty = self.lane_type(instruction)?;
        let operand = self.word(ty, bits);
        self.define_one(instruction, operand)
    }

    fn is_number(&self, operand: Operand) -> bool {
        operand.as_const().is_some_and(|constant| self.lowering.known_word(constant).is_some())
    }

    /// The scalar type of the result's lanes.
    pub fn lane_type(&self, instruction: &Instruction) -> Result<Type> {
        let scalar = self.unit.types.table.scalar_of(instruction.ty);
        self.unit.types.scalar(scalar)?.ok_or_else(|| malformed("an intrinsic with a result of a strange type"))
    }

    fn lane_intrinsic(
        &mut self,
        instruction: &Instruction,
        call: &Call,
        intrinsic: Intrinsic,
        count: usize,
    ) -> Result<()> {
        let result = self.lane_type(instruction)?;
        let first = argument(call, 0)?;
        let each = |this: &mut Self, args: &[Operand]| {
            let ty = this.type_of(args[0]);
            this.call_intrinsic(intrinsic, ty, args, result)
        };
        match count {
            1 => self.lanewise(instruction, [first], |this, args| each(this, &args)),
            2 => self.lanewise(instruction, [first, argument(call, 1)?], |this, args| each(this, &args)),
            _ => {
                let values = [first, argument(call, 1)?, argument(call, 2)?];
                self.lanewise(instruction, values, |this, args| each(this, &args))
            }
        }
    }

    /// Values of all lanes come first in the result, then the overflow bits of all lanes.
    fn overflow(&mut self, instruction: &Instruction, call: &Call, intrinsic: Intrinsic) -> Result<()> {
        let lhs = self.list(argument(call, 0)?)?;
        let rhs = self.list(argument(call, 1)?)?;
        let mut values = Vec::with_capacity(2 * lhs.len());
        let mut overflows = Vec::with_capacity(lhs.len());
        for (a, b) in lhs.into_iter().zip(rhs) {
            let ty = self.type_of(a);
            let results = self.push_call(Callee::Intrinsic(intrinsic, ty), &[a, b], &[ty, Type::BOOL])?;
            if let [value, overflow] = results[..] {
                values.push(value.into());
                overflows.push(overflow.into());
            }
        }
        values.append(&mut overflows);
        self.define(instruction, &values)
    }

    fn scalar_intrinsic(
        &mut self,
        instruction: &Instruction,
        call: &Call,
        intrinsic: Intrinsic,
        count: usize,
    ) -> Result<()> {
        let mut args = Vec::with_capacity(count);
        for at in 0..count {
            args.push(self.scalar(argument(call, at)?)?);
        }
        let result = self.unit.types.scalar(instruction.ty)?;
        // Memory intrinsics are overloaded on the type of the length, which is their third argument.
        let ty = args.get(2).or(args.last()).map(|arg| self.type_of(*arg)).or(result).unwrap_or(Type::I32);
        if intrinsic == Intrinsic::Assume && self.is_number(args[0]) && self.lowering.known_integer(args[0]) != Some(0)
        {
            return self.nothing(instruction);
        }
        let results: Vec<Type> = result.into_iter().collect();
        let registers = self.push_call(Callee::Intrinsic(intrinsic, ty), &args, &results)?;
        let operands: Vec<Operand> = registers.into_iter().map(Operand::from).collect();
        self.define(instruction, &operands)
    }

    /// A constrained comparison: the predicate is a metadata string.
    fn compare_by_name(&mut self, instruction: &Instruction, call: &Call) -> Result<()> {
        let name = match argument(call, 2)? {
            Value::Metadata(id) => self.unit.module.metadata.text(Some(id)),
            _ => "",
        };
        let predicate = (0..16).map(FloatPredicate).find(|predicate| predicate.name() == name);
        let predicate = predicate.ok_or_else(|| malformed("a comparison by an unknown predicate"))?;
        let values = [argument(call, 0)?, argument(call, 1)?];
        self.lanewise(instruction, values, |this, [lhs, rhs]| this.compare_floats(predicate, lhs, rhs))
    }

    fn reduction(
        &mut self,
        instruction: &Instruction,
        call: &Call,
        reduction: Reduction,
        has_start: bool,
    ) -> Result<()> {
        let start = if has_start { Some(self.scalar(argument(call, 0)?)?) } else { None };
        let lanes = self.list(argument(call, usize::from(has_start))?)?;
        let joined = self.reduce(reduction, start, &lanes)?;
        self.define_one(instruction, joined)
    }

    /// Loads and stores of some lanes, where it is known which.
    fn masked(&mut self, instruction: &Instruction, call: &Call, plan: Plan, callee: GlobalId) -> Result<()> {
        // Newer LLVM dropped the alignment argument, so the mask is the only vector of booleans.
        let is_mask = |value: &&Value| {
            let ty = self.type_id(**value);
            let element = self.unit.types.table.vector(ty).map(|(element, _)| &self.unit.types.table[element]);
            matches!(element, Some(LlvmType::Integer { width: 1 }))
        };
        let mask = match plan {
            Plan::MaskedLoad | Plan::Gather => call.arguments.iter().skip(1).find(is_mask),
            _ => call.arguments.iter().skip(2).find(is_mask),
        };
        let mask = *mask.ok_or_else(|| malformed("a masked access without its mask"))?;
        let Some(mask) = self.known_mask(mask)? else { return self.unknown_intrinsic(instruction, callee) };
        match plan {
            Plan::MaskedLoad | Plan::Gather => self.masked_load(instruction, call, plan, &mask),
            _ => self.masked_store(instruction, call, plan, &mask),
        }
    }

    fn masked_load(&mut self, instruction: &Instruction, call: &Call, plan: Plan, mask: &[bool]) -> Result<()> {
        let shape = self.lowering.shape(self.unit_index, instruction.ty)?;
        let passthrough = call.arguments.last().copied().ok_or_else(|| malformed("a load without its arguments"))?;
        let mut lanes = self.list(passthrough)?;
        for (at, lane) in lanes.iter_mut().enumerate() {
            if !mask.get(at).copied().unwrap_or(false) {
                continue;
            }
            let ty = *shape.scalars.get(at).ok_or_else(|| malformed("vectors of different lengths"))?;
            let address = self.masked_address(argument(call, 0)?, plan == Plan::Gather, at, ty)?;
            *lane = self.load_scalar(ty, address, false)?;
        }
        self.define(instruction, &lanes)
    }

    fn masked_store(&mut self, instruction: &Instruction, call: &Call, plan: Plan, mask: &[bool]) -> Result<()> {
        let lanes = self.list(argument(call, 0)?)?;
        for (at, lane) in lanes.into_iter().enumerate() {
            if mask.get(at).copied().unwrap_or(false) {
                let ty = self.type_of(lane);
                let address = self.masked_address(argument(call, 1)?, plan == Plan::Scatter, at, ty)?;
                self.store_scalar(address, lane, false)?;
            }
        }
        self.define(instruction, &[])
    }

    fn masked_address(&mut self, pointer: Value, one_each: bool, lane: usize, ty: Type) -> Result<Operand> {
        if one_each {
            return self.lane(pointer, lane);
        }
        if !ty.bits(self.pointer_bits()).is_multiple_of(8) {
            return Err(unsupported("a masked access to lanes that share bytes"));
        }
        let base = self.scalar(pointer)?;
        self.offset_address(base, lane as u64 * u64::from(ty.store_bytes(self.pointer_bits())))
    }

    fn vector_parts(&mut self, instruction: &Instruction, call: &Call, plan: Plan) -> Result<()> {
        let count = self.unit.types.count(instruction.ty) as usize;
        if plan == Plan::StepVector {
            let ty = self.lane_type(instruction)?;
            self.spend(count)?;
            let lanes: Vec<Operand> = (0..count).map(|lane| self.word(ty, lane as u64)).collect();
            return self.define(instruction, &lanes);
        }
        let mut lanes = self.list(argument(call, 0)?)?;
        if plan == Plan::VectorReverse {
            lanes.reverse();
            return self.define(instruction, &lanes);
        }
        let place = if plan == Plan::VectorInsert { 2 } else { 1 };
        let place = self.scalar(argument(call, place)?)?;
        let first = self.lowering.known_integer(place).and_then(|it| usize::try_from(it).ok());
        let first = first.ok_or_else(|| malformed("a part of a vector at an unknown place"))?;
        let missing = || malformed("a part that the vector does not have");
        if plan == Plan::VectorExtract {
            let part = lanes.get(first..).and_then(|rest| rest.get(..count)).ok_or_else(missing)?;
            return self.define(instruction, part);
        }
        let inserted = self.list(argument(call, 1)?)?;
        let part = lanes.get_mut(first..).and_then(|rest| rest.get_mut(..inserted.len())).ok_or_else(missing)?;
        part.copy_from_slice(&inserted);
        self.define(instruction, &lanes)
    }

    /// `llvm.fmuladd`: one rounding if the target has such an instruction, as its code generator decides.
    fn multiply_add(&mut self, instruction: &Instruction, call: &Call) -> Result<()> {
        let fused = self.may_fuse() && matches!(self.lane_type(instruction)?.bits(0), 32 | 64);
        if fused {
            return self.lane_intrinsic(instruction, call, Intrinsic::FusedMultiplyAdd, 3);
        }
        let values = [argument(call, 0)?, argument(call, 1)?, argument(call, 2)?];
        self.lanewise(instruction, values, |this, [a, b, c]| {
            let product = this.float(FloatOp::Mul, a, b)?;
            this.float(FloatOp::Add, product, c)
        })
    }

    /// Whether this function is compiled for a processor with fused multiplication and addition.
    fn may_fuse(&mut self) -> bool {
        if let Some(known) = self.fuses {
            return known;
        }
        let module = self.unit.module;
        let attributes = module.globals[self.global].function().and_then(|function| function.attributes);
        let is_fused = |attribute: &Attribute| match attribute {
            Attribute::Text { key, value } if &**key == "target-features" => {
                value.split(',').any(|feature| matches!(feature, "+fma" | "+fma4" | "+avx512f"))
            }
            _ => false,
        };
        let fuses = module.attributes_at(attributes, AttributePlace::Function).any(is_fused);
        *self.fuses.insert(fuses)
    }

    /// The number of the first lane that is not zero, or the number of lanes.
    fn first_lane(&mut self, instruction: &Instruction, call: &Call) -> Result<()> {
        let lanes = self.list(argument(call, 0)?)?;
        let ty = self.lane_type(instruction)?;
        let mut first = self.word(ty, lanes.len() as u64);
        for (at, lane) in lanes.into_iter().enumerate().rev() {
            let lane_type = self.type_of(lane);
            let zero = self.lowering.zero(lane_type);
            let is_set = if lane_type == Type::BOOL { lane } else { self.compare(IntPredicate::Ne, lane, zero)? };
            let number = self.word(ty, at as u64);
            first = self.select(is_set, number, first)?;
        }
        self.define_one(instruction, first)
    }

    fn load_relative(&mut self, instruction: &Instruction, call: &Call) -> Result<()> {
        let base = self.scalar(argument(call, 0)?)?;
        let offset = self.scalar(argument(call, 1)?)?;
        let entry = self.sum_address(base, offset)?;
        let distance = self.load_scalar(Type::I32, entry, false)?;
        let target = self.sum_address(base, distance)?;
        self.define_one(instruction, target)
    }
}

/// An argument of a call; the decoder has checked that there are as many as the type says, but not the name.
pub(crate) fn argument(call: &Call, at: usize) -> Result<Value> {
    call.arguments.get(at).copied().ok_or_else(|| malformed("an intrinsic called with too few arguments"))
}
