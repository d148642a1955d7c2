//! Calls in their three forms, and what belongs to them.

use crate::module::{Call, InstructionKind, OperandBundle, TailKind, Type, TypeId, Value};

use super::super::Problem;
use super::{Decoded, InstructionReader, fast_math};

/// Marks metadata among the operands of a bundle.
const BUNDLE_METADATA: u64 = 0x8000_0000;

impl InstructionReader<'_, '_, '_> {
    /// `[attributes, flags, fast-math flags?, function type, callee, arguments…]`
    pub(super) fn call(&mut self) -> Decoded {
        let attributes = self.operands.take()?;
        let flags = self.operands.take()?;
        let fast = if flags >> 17 & 1 != 0 { fast_math(self.operands.take()?) } else { fast_math(0) };
        let (mut call, ty) = self.callee_and_arguments(flags >> 15 & 1 != 0)?;
        call.attributes = self.module.attribute_list(attributes)?;
        call.calling_convention = (flags as u32 & 0x7ff) >> 1;
        call.fast = fast;
        call.tail = match flags {
            _ if flags >> 16 & 1 != 0 => TailKind::NoTail,
            _ if flags >> 14 & 1 != 0 => TailKind::MustTail,
            _ if flags & 1 != 0 => TailKind::Tail,
            _ => TailKind::None,
        };
        Ok((InstructionKind::Call(Box::new(call)), ty))
    }

    /// `[attributes, flags, normal, unwind, function type, callee, arguments…]`
    pub(super) fn invoke(&mut self) -> Decoded {
        let attributes = self.operands.take()?;
        let flags = self.operands.take()?;
        let (normal, unwind) = (self.block()?, self.block()?);
        let (mut call, ty) = self.callee_and_arguments(flags >> 13 & 1 != 0)?;
        call.attributes = self.module.attribute_list(attributes)?;
        call.calling_convention = flags as u32 & 0x3ff;
        Ok((InstructionKind::Invoke { call: Box::new(call), normal, unwind }, ty))
    }

    /// `[attributes, flags, default, count, targets…, function type, callee, arguments…]`
    pub(super) fn call_branch(&mut self) -> Decoded {
        let attributes = self.operands.take()?;
        let flags = self.operands.take()?;
        let default = self.block()?;
        let count = self.operands.take()?;
        let indirect = self.operands.take_many(count)?;
        let indirect = indirect.iter().map(|&target| self.block_at(target)).collect::<Result<_, _>>()?;
        let (mut call, ty) = self.callee_and_arguments(flags >> 15 & 1 != 0)?;
        call.attributes = self.module.attribute_list(attributes)?;
        call.calling_convention = (flags as u32 & 0x7ff) >> 1;
        Ok((InstructionKind::CallBranch { call: Box::new(call), default, indirect }, ty))
    }

    /// `[function type, callee, arguments…]`; also takes the bundles that came before.
    fn callee_and_arguments(&mut self, explicit_type: bool) -> Result<(Call, TypeId), Problem> {
        if !explicit_type {
            return Err(Problem::Unsupported("an instruction in the form it had before LLVM 4"));
        }
        let function_type = self.ty()?;
        let callee = self.pointer()?;
        let ty = self.module.module.types.function(function_type);
        let ty = ty.ok_or(Problem::Invalid("a call by a type that is no function type"))?;
        let (parameters, result, variadic) = (ty.parameters.clone(), ty.result, ty.variadic);
        if self.operands.len() < parameters.len() {
            return Err(Problem::Invalid("a call with too few arguments"));
        }
        let mut arguments = Vec::with_capacity(self.operands.len());
        for &parameter in &parameters {
            if matches!(self.module.module.types[parameter], Type::Label) {
                return Err(Problem::Unsupported("a label passed to a call"));
            }
            arguments.push(self.value(parameter)?);
        }
        while variadic && !self.operands.is_empty() {
            arguments.push(self.pair()?.0);
        }
        if !self.operands.is_empty() {
            return Err(Problem::Invalid("a call with too many arguments"));
        }
        let call = Call {
            callee,
            function_type,
            arguments: arguments.into(),
            attributes: None,
            calling_convention: 0,
            tail: TailKind::None,
            fast: fast_math(0),
            bundles: std::mem::take(&mut self.function.bundles).into(),
        };
        Ok((call, result))
    }

    /// `[tag, operands…]`: extra operands of the call that follows.
    pub fn operand_bundle(&mut self) -> Result<(), Problem> {
        let index = self.operands.take()?;
        let tag = usize::try_from(index).ok().and_then(|index| self.module.bundle_tags.get(index));
        let tag = tag.cloned().ok_or(Problem::NoSuch { what: "operand bundle tag", index })?;
        let mut inputs = Vec::with_capacity(self.operands.len());
        while let Some(&next) = self.operands.rest().first() {
            if next == BUNDLE_METADATA {
                self.operands.take()?;
                let number = self.function.next_number().wrapping_sub(self.operands.take()? as u32);
                inputs.push(Value::Metadata(self.module.known_metadata(number.into())?));
            } else {
                inputs.push(self.pair()?.0);
            }
        }
        self.function.bundles.push(OperandBundle { tag, inputs: inputs.into() });
        Ok(())
    }

    /// `[list type, list, type]`
    pub(super) fn variable_argument(&mut self) -> Decoded {
        let list_type = self.ty()?;
        if !matches!(self.module.module.types[list_type], Type::Pointer { .. }) {
            return Err(Problem::Invalid("a list of arguments that is no pointer"));
        }
        let list = self.value(list_type)?;
        let ty = self.ty()?;
        Ok((InstructionKind::VariableArgument { list }, ty))
    }
}
