//! LLVM constants as operands: one entry of the program's constant pool for each scalar.

use symcrete_ir::{BinaryOp, CastOp, Constant, Operand, Type};

use super::fold::truncate;
use super::instructions::{cast_op, int_predicate, integer_op};
use super::lanes::Arithmetic;
use super::pointers::Walk;
use super::{Lowered, Lowering, Result, UnitIndex, malformed, unsupported};
use crate::link::Target;
use crate::module::{BlockId, CastOperator, ConstantExpression, ConstantId, ConstantKind, GlobalId, TypeId};

impl Lowering<'_> {
    /// A constant of a unit as operands. Nested constants are met by recursion, whose depth the decoder bounds.
    pub fn constant(&mut self, unit: UnitIndex, id: ConstantId) -> Result<Lowered> {
        let known = self.caches[unit].constants[id];
        if known != Lowered::Unset {
            return Ok(known);
        }
        let lowered = self.lower_constant(unit, id)?;
        self.caches[unit].constants[id] = lowered;
        Ok(lowered)
    }

    /// The same as a list.
    pub fn constant_list(&mut self, unit: UnitIndex, id: ConstantId) -> Result<Vec<Operand>> {
        Ok(match self.constant(unit, id)? {
            Lowered::One(operand) => vec![operand],
            Lowered::Many { start, count } => {
                self.caches[unit].pool[start as usize..start as usize + count as usize].to_vec()
            }
            Lowered::Unset => Vec::new(),
        })
    }

    /// A constant that must be a single scalar.
    pub fn constant_scalar(&mut self, unit: UnitIndex, id: ConstantId) -> Result<Operand> {
        match self.constant(unit, id)? {
            Lowered::One(operand) => Ok(operand),
            _ => Err(malformed("an aggregate where a scalar must be")),
        }
    }

    fn keep(&mut self, unit: UnitIndex, operands: Vec<Operand>) -> Result<Lowered> {
        if let [operand] = operands[..] {
            return Ok(Lowered::One(operand));
        }
        let cache = &mut self.caches[unit];
        cache.budget.spend(operands.len() as u64)?;
        let start = cache.pool.len() as u32;
        cache.pool.extend_from_slice(&operands);
        Ok(Lowered::Many { start, count: operands.len() as u32 })
    }

    fn lower_constant(&mut self, unit: UnitIndex, id: ConstantId) -> Result<Lowered> {
        let module = self.units[unit].module;
        let constant = &module.constants[id];
        let scalar = self.units[unit].types.scalar(constant.ty)?;
        let operand = match (&constant.kind, scalar) {
            (ConstantKind::Global(global), _) => self.address_of(unit, *global)?,
            (ConstantKind::DsoLocalEquivalent(global) | ConstantKind::NoCfi(global), _) => {
                self.address_of(unit, *global)?
            }
            (ConstantKind::BlockAddress { function, block }, _) => self.block_address(unit, *function, *block)?,
            (ConstantKind::Undef | ConstantKind::Poison, Some(ty)) => self.undefined(ty),
            (ConstantKind::InlineAssembly(_), _) => return Err(malformed("assembly text used as a value")),
            (ConstantKind::Expression(expression), _) => {
                let operands = self.lower_expression(unit, constant.ty, expression)?;
                return self.keep(unit, operands);
            }
            (kind, Some(ty)) => self.number(ty, kind)?,
            (kind, None) => {
                let operands = self.lower_composite(unit, constant.ty, kind)?;
                return self.keep(unit, operands);
            }
        };
        Ok(Lowered::One(operand))
    }

    /// Vectors and aggregates that are no expressions.
    fn lower_composite(&mut self, unit: UnitIndex, ty: TypeId, kind: &ConstantKind) -> Result<Vec<Operand>> {
        let shape = self.shape(unit, ty)?;
        let scalars = &shape.scalars;
        let operands: Vec<Operand> = match kind {
            ConstantKind::Null => scalars.iter().map(|ty| self.zero(*ty)).collect(),
            ConstantKind::Undef | ConstantKind::Poison => scalars.iter().map(|ty| self.undefined(*ty)).collect(),
            ConstantKind::Aggregate(parts) => {
                let mut operands = Vec::with_capacity(scalars.len());
                for part in parts {
                    operands.extend(self.constant_list(unit, *part)?);
                }
                operands
            }
            ConstantKind::Data(bytes) if !scalars.is_empty() => {
                let width = usize::from(scalars[0].bits(self.pointer_bits())).div_ceil(8);
                bytes.chunks(width).map(|chunk| self.word(scalars[0], little_endian(chunk))).collect()
            }
            ConstantKind::Data(_) => Vec::new(),
            ConstantKind::Splat(element) if !scalars.is_empty() => {
                let operand = self.number(scalars[0], element)?;
                vec![operand; scalars.len()]
            }
            _ => return Err(malformed("a constant that does not fit its type")),
        };
        let fits = operands.len() == scalars.len()
            && operands.iter().zip(scalars).all(|(operand, ty)| self.type_of(*operand) == *ty);
        if fits { Ok(operands) } else { Err(malformed("a constant that does not fit its type")) }
    }

    /// A scalar that is plain bits.
    fn number(&mut self, ty: Type, kind: &ConstantKind) -> Result<Operand> {
        Ok(match kind {
            ConstantKind::Integer(bits) | ConstantKind::Float(bits) => self.word(ty, *bits),
            ConstantKind::Null => self.zero(ty),
            ConstantKind::WideInteger(limbs) => self.wide(ty, limbs),
            ConstantKind::WideFloat(bits) => self.wide(ty, &[**bits as u64, (**bits >> 64) as u64]),
            _ => return Err(malformed("a constant that does not fit its type")),
        })
    }

    /// A scalar of any width by its limbs.
    pub fn wide(&mut self, ty: Type, limbs: &[u64]) -> Operand {
        let width = u32::from(ty.bits(self.pointer_bits()));
        if width <= 64 {
            return self.word(ty, limbs.first().copied().unwrap_or(0));
        }
        let count = width.div_ceil(64) as usize;
        let mut limbs: Vec<u64> = limbs.iter().copied().chain(std::iter::repeat(0)).take(count).collect();
        if let Some(last) = limbs.last_mut() {
            *last = truncate(width - 64 * (count as u32 - 1), *last);
        }
        self.program.constant(Constant::Wide { ty, limbs: limbs.into() }).into()
    }

    /// The address of a global.
    pub fn address_of(&mut self, unit: UnitIndex, global: GlobalId) -> Result<Operand> {
        let constant = match self.resolve(unit, global)? {
            Target::Function(function) => Constant::Function(function),
            Target::Variable(global, offset) => Constant::Global { global, offset },
            Target::Absolute(bits) => {
                let bits = truncate(self.pointer_bits().into(), bits);
                Constant::Word { ty: Type::POINTER, bits }
            }
        };
        Ok(self.program.constant(constant).into())
    }

    fn block_address(&mut self, unit: UnitIndex, function: GlobalId, block: BlockId) -> Result<Operand> {
        let constant = match self.resolve(unit, function)? {
            // Blocks keep their numbers, so this holds though the function may be lowered later.
            Target::Function(target) if self.is_definition_of(target, unit, function) => {
                Constant::BlockAddress(target, symcrete_ir::Block::from_u32(block.as_u32()))
            }
            // Another module's definition was chosen: this block is not part of the program. LLVM says 1 here, too.
            _ => Constant::Word { ty: Type::POINTER, bits: 1 },
        };
        Ok(self.program.constant(constant).into())
    }

    fn lower_expression(
        &mut self,
        unit: UnitIndex,
        ty: TypeId,
        expression: &ConstantExpression,
    ) -> Result<Vec<Operand>> {
        use ConstantExpression as Expression;
        match expression {
            Expression::Negate(operand) => {
                let lanes = self.constant_list(unit, *operand)?;
                lanes.into_iter().map(|lane| self.constant_negate(lane)).collect()
            }
            Expression::Binary { operator, left, right, .. } => {
                let op = integer_op(*operator).ok_or_else(|| unsupported("a constant expression on floats"))?;
                self.pairs(unit, *left, *right, |this, a, b| {
                    let ty = this.type_of(a);
                    this.binary(op, ty, a, b)
                })
            }
            Expression::Cast { operator, operand } => self.lower_constant_cast(unit, ty, *operator, *operand),
            Expression::ElementPointer { source_type, base, indices, .. } => {
                self.lower_constant_address(unit, ty, *source_type, *base, indices)
            }
            Expression::Select { condition, if_true, if_false } => {
                let conditions = self.constant_list(unit, *condition)?;
                let mut lane = 0;
                self.pairs(unit, *if_true, *if_false, |this, a, b| {
                    let condition = if conditions.len() == 1 { conditions.first() } else { conditions.get(lane) };
                    lane += 1;
                    let condition =
                        condition.ok_or_else(|| malformed("a selection of vectors of different lengths"))?;
                    this.constant_select(*condition, a, b)
                })
            }
            Expression::IntegerCompare { predicate, left, right } => {
                let predicate = int_predicate(*predicate);
                self.pairs(unit, *left, *right, |this, a, b| this.constant_compare(predicate, a, b))
            }
            Expression::FloatCompare { .. } => Err(unsupported("a constant comparison of floats")),
            Expression::ExtractElement { .. } | Expression::InsertElement { .. } | Expression::ShuffleVector { .. } => {
                self.lower_constant_shuffle(unit, ty, expression)
            }
        }
    }

    /// Applies an operation to the lanes of two constants.
    fn pairs(
        &mut self,
        unit: UnitIndex,
        left: ConstantId,
        right: ConstantId,
        mut each: impl FnMut(&mut Self, Operand, Operand) -> Result<Operand>,
    ) -> Result<Vec<Operand>> {
        let left = self.constant_list(unit, left)?;
        let right = self.constant_list(unit, right)?;
        if left.len() != right.len() {
            return Err(malformed("operands of different lengths"));
        }
        left.into_iter().zip(right).map(|(a, b)| each(self, a, b)).collect()
    }

    fn lower_constant_cast(
        &mut self,
        unit: UnitIndex,
        ty: TypeId,
        operator: CastOperator,
        operand: ConstantId,
    ) -> Result<Vec<Operand>> {
        let lanes = self.constant_list(unit, operand)?;
        let shape = self.shape(unit, ty)?;
        let op = match operator {
            CastOperator::AddressSpaceCast => return Ok(lanes),
            CastOperator::Bitcast => return self.regroup(&lanes, &shape.scalars),
            other => cast_op(other),
        };
        if lanes.len() != shape.scalars.len() {
            return Err(malformed("a conversion between vectors of different lengths"));
        }
        let pairs = lanes.into_iter().zip(&shape.scalars);
        pairs
            .map(|(lane, to)| {
                let from = self.type_of(lane);
                self.cast(op, from, *to, lane)
            })
            .collect()
    }

    fn lower_constant_shuffle(
        &mut self,
        unit: UnitIndex,
        ty: TypeId,
        expression: &ConstantExpression,
    ) -> Result<Vec<Operand>> {
        use ConstantExpression as Expression;
        let shape = self.shape(unit, ty)?;
        let undefined = shape.scalars.first().map(|ty| self.undefined(*ty));
        let element = undefined.ok_or_else(|| malformed("a vector without elements"))?;
        match expression {
            Expression::ExtractElement { vector, index } => {
                let lanes = self.constant_list(unit, *vector)?;
                let at = self.lane_number(unit, *index)?;
                Ok(vec![lanes.get(at).copied().unwrap_or(element)])
            }
            Expression::InsertElement { vector, element, index } => {
                let mut lanes = self.constant_list(unit, *vector)?;
                let at = self.lane_number(unit, *index)?;
                let element = self.constant_scalar(unit, *element)?;
                if let Some(lane) = lanes.get_mut(at) {
                    *lane = element;
                }
                Ok(lanes)
            }
            Expression::ShuffleVector { left, right, mask } => {
                let mut lanes = self.constant_list(unit, *left)?;
                lanes.extend(self.constant_list(unit, *right)?);
                let pick = |at: &Option<u32>| at.and_then(|at| lanes.get(at as usize)).copied().unwrap_or(element);
                Ok(mask.iter().map(pick).collect())
            }
            _ => Err(malformed("a vector expression")),
        }
    }

    fn lane_number(&mut self, unit: UnitIndex, index: ConstantId) -> Result<usize> {
        let index = self.constant_scalar(unit, index)?;
        let index = self.known_integer(index).ok_or_else(|| unsupported("a lane number that is an address"))?;
        Ok(usize::try_from(index).unwrap_or(usize::MAX))
    }

    /// Address arithmetic on constants. Base and indices may be vectors.
    fn lower_constant_address(
        &mut self,
        unit: UnitIndex,
        ty: TypeId,
        source: TypeId,
        base: ConstantId,
        indices: &[ConstantId],
    ) -> Result<Vec<Operand>> {
        let count = self.shape(unit, ty)?.scalars.len();
        let bases = self.constant_list(unit, base)?;
        let mut index_lanes = Vec::with_capacity(indices.len());
        for index in indices {
            index_lanes.push(self.constant_list(unit, *index)?);
        }
        let pick = |lanes: &[Operand], lane: usize| {
            let found = if lanes.len() == 1 { lanes.first() } else { lanes.get(lane) };
            found.copied().ok_or_else(|| malformed("address arithmetic on vectors of different lengths"))
        };
        let mut addresses = Vec::with_capacity(count);
        for lane in 0..count {
            let mut address = pick(&bases, lane)?;
            let mut walk = Walk::new(&self.units[unit].types, source);
            let mut offset = 0i64;
            for lanes in &index_lanes {
                let index = pick(lanes, lane)?;
                let known = self.known_integer(index);
                let scale = walk.step(known)?;
                match known {
                    Some(known) => offset = offset.wrapping_add(known.wrapping_mul(scale)),
                    None => address = self.add_scaled(address, index, scale)?,
                }
            }
            addresses.push(self.constant_offset(address, offset.wrapping_add(walk.fields()))?);
        }
        Ok(addresses)
    }

    /// `address + index * scale`, where the index is not a number yet.
    fn add_scaled(&mut self, address: Operand, index: Operand, scale: i64) -> Result<Operand> {
        let from = self.type_of(index);
        if !from.is_int() {
            return Err(malformed("an index that is no integer"));
        }
        let integer = Type::int(self.pointer_bits());
        let widened = match from.bits(0).cmp(&integer.bits(0)) {
            std::cmp::Ordering::Less => self.cast(CastOp::SignExtend, from, integer, index)?,
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, from, integer, index)?,
            std::cmp::Ordering::Equal => index,
        };
        let scale = self.word(integer, scale as u64);
        let distance = self.binary(BinaryOp::Mul, integer, widened, scale)?;
        self.add_to_address(address, distance)
    }

    /// `address + offset`.
    pub fn constant_offset(&mut self, address: Operand, offset: i64) -> Result<Operand> {
        if offset == 0 {
            return Ok(address);
        }
        let known = address.as_const().map(|constant| &self.program.constants[constant]);
        if let Some(Constant::Global { global, offset: before }) = known {
            let (global, offset) = (*global, before.wrapping_add(offset));
            return Ok(self.program.constant(Constant::Global { global, offset }).into());
        }
        let integer = Type::int(self.pointer_bits());
        let distance = self.word(integer, offset as u64);
        self.add_to_address(address, distance)
    }

    fn add_to_address(&mut self, address: Operand, distance: Operand) -> Result<Operand> {
        let integer = Type::int(self.pointer_bits());
        let from = self.type_of(address);
        if !from.is_pointer() {
            return Err(malformed("address arithmetic on something that is no address"));
        }
        let bits = self.cast(CastOp::PointerToInt, Type::POINTER, integer, address)?;
        let sum = self.binary(BinaryOp::Add, integer, bits, distance)?;
        self.cast(CastOp::IntToPointer, integer, Type::POINTER, sum)
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| (value << 8) | u64::from(*byte))
}
