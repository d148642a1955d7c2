//! Whether the operands of constants have the types that they must have.

use cranelift_entity::EntityRef;

use crate::module::{Constant, ConstantExpression, ConstantId, ConstantKind, Type, TypeId};

use super::Problem;
use super::module_block::ModuleDecoder;
use super::rules;

impl ModuleDecoder<'_> {
    /// Checks the constants from `first` to the last one.
    pub(super) fn check_constant_types(&mut self, first: usize) -> Result<(), Problem> {
        for index in first..self.module.constants.len() {
            let id = ConstantId::new(index);
            let constant = &self.module.constants[id];
            let ty = constant.ty;
            match &constant.kind {
                ConstantKind::Aggregate(elements) => self.check_aggregate(ty, elements)?,
                ConstantKind::Data(bytes) => self.check_data(ty, bytes.len())?,
                ConstantKind::Null if matches!(self.module.types[ty], Type::Label | Type::Metadata) => {
                    return Err(Problem::Invalid("a zero of a type that has none"));
                }
                ConstantKind::BlockAddress { .. }
                | ConstantKind::DsoLocalEquivalent(_)
                | ConstantKind::NoCfi(_)
                | ConstantKind::InlineAssembly(_)
                    if !matches!(self.module.types[ty], Type::Pointer { .. }) =>
                {
                    return Err(Problem::Invalid("an address that is no pointer"));
                }
                ConstantKind::Expression(_) => self.check_expression(id, ty)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn check_expression(&mut self, id: ConstantId, ty: TypeId) -> Result<(), Problem> {
        if self.expression_type(id)? == ty {
            Ok(())
        } else {
            Err(Problem::Invalid("a constant expression of another type than it should be"))
        }
    }

    fn constant(&self, id: ConstantId) -> Result<&Constant, Problem> {
        self.module.constants.get(id).ok_or(Problem::NoSuch { what: "constant", index: id.as_u32().into() })
    }

    fn check_aggregate(&self, ty: TypeId, elements: &[ConstantId]) -> Result<(), Problem> {
        let wrong = Err(Problem::Invalid("an aggregate whose elements do not fit its type"));
        let count = elements.len() as u64;
        match &self.module.types[ty] {
            Type::Struct(structure) if structure.fields.len() == elements.len() => {
                for (&field, &element) in structure.fields.iter().zip(elements) {
                    if self.constant(element)?.ty != field {
                        return wrong;
                    }
                }
                Ok(())
            }
            Type::Array { element, length } if *length == count => self.check_elements(*element, elements),
            Type::Vector { element, length } if u64::from(*length) == count => self.check_elements(*element, elements),
            _ => wrong,
        }
    }

    fn check_elements(&self, ty: TypeId, elements: &[ConstantId]) -> Result<(), Problem> {
        for &element in elements {
            if self.constant(element)?.ty != ty {
                return Err(Problem::Invalid("an array element of another type"));
            }
        }
        Ok(())
    }

    fn check_data(&self, ty: TypeId, bytes: usize) -> Result<(), Problem> {
        let (element, length) = match self.module.types[ty] {
            Type::Array { element, length } => (element, length),
            Type::Vector { element, length } => (element, length.into()),
            _ => return Err(Problem::Invalid("a string or array data of another type")),
        };
        let size = match self.module.types[element] {
            Type::Integer { width } => u64::from(width / 8),
            Type::Float(format) => u64::from(format.width() / 8),
            _ => 0,
        };
        // A string gives no element type; where that is not a byte, the length is wrong too.
        if length.checked_mul(size) != Some(bytes as u64) {
            return Err(Problem::Invalid("array data of another length than its type"));
        }
        Ok(())
    }

    /// The type that an expression has by its operands.
    fn expression_type(&mut self, id: ConstantId) -> Result<TypeId, Problem> {
        let Constant { ty, kind: ConstantKind::Expression(expression) } = self.constant(id)?.clone() else {
            return Err(Problem::Invalid("an expression that is none"));
        };
        let mut operand_types = Vec::new();
        let mut missing = Ok(());
        expression.for_each_operand(|operand| match self.constant(operand) {
            Ok(constant) => operand_types.push(constant.ty),
            Err(problem) => missing = Err(problem),
        });
        missing?;
        let operand = |index: usize| operand_types.get(index).copied().ok_or(Problem::MissingOperand);
        let types = &mut self.module.types;
        match &*expression {
            ConstantExpression::Negate(_) => rules::negate(types, operand(0)?),
            ConstantExpression::Binary { operator, .. } => rules::binary(types, *operator, operand(0)?, operand(1)?),
            ConstantExpression::Cast { operator, .. } => rules::cast(types, *operator, operand(0)?, ty),
            ConstantExpression::Select { .. } => rules::select(types, operand(0)?, operand(1)?, operand(2)?),
            ConstantExpression::ExtractElement { .. } => rules::extract_element(types, operand(0)?, operand(1)?),
            ConstantExpression::InsertElement { .. } => {
                rules::insert_element(types, operand(0)?, operand(1)?, operand(2)?)
            }
            ConstantExpression::ShuffleVector { mask, .. } => rules::shuffle(types, operand(0)?, operand(1)?, mask),
            ConstantExpression::IntegerCompare { .. } => rules::integer_compare(types, operand(0)?, operand(1)?),
            ConstantExpression::FloatCompare { .. } => rules::float_compare(types, operand(0)?, operand(1)?),
            ConstantExpression::ElementPointer { source_type, indices, .. } => {
                let constants = &self.module.constants;
                let with_types = indices.iter().zip(operand_types.iter().skip(1));
                let indices = with_types.map(|(&index, &ty)| (ty, rules::small_integer(constants, index)));
                rules::element_pointer(types, *source_type, operand(0)?, indices)
            }
        }
    }
}
