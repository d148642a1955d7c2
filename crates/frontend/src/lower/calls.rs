//! Calls: who is called, the scalars that are passed and returned, arguments passed by value in memory.

use std::rc::Rc;

use symcrete_ir::{Call, CallData, Callee, Constant, Inst, Intrinsic, Operand, Reg, Type};

use super::function::FunctionLowering;
use super::lanes::Arithmetic;
use super::{Result, UnitIndex, malformed, unsupported};
use crate::module::{
    Attribute, AttributeKind, AttributeListId, AttributePlace, Call as LlvmCall, ConstantKind, GlobalId, Instruction,
    TailKind, TypeId, Value,
};

/// An argument that is passed by value in memory: its number, bytes and alignment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByValue {
    pub argument: u32,
    pub bytes: u64,
    pub align: u32,
}

impl FunctionLowering<'_, '_> {
    pub fn call(&mut self, instruction: &Instruction, call: &LlvmCall) -> Result<()> {
        if self.is_expanded(instruction, call)? {
            return Ok(());
        }
        let call = self.make_call(instruction, call)?;
        self.emit(Inst::Call { call })
    }

    /// The call of an invoke; `None` if it became plain instructions.
    pub fn invoke(&mut self, instruction: &Instruction, call: &LlvmCall) -> Result<Option<Call>> {
        if self.is_expanded(instruction, call)? {
            return Ok(None);
        }
        self.make_call(instruction, call).map(Some)
    }

    /// Lowers calls of intrinsics and inline assembly; `false` for all others.
    fn is_expanded(&mut self, instruction: &Instruction, call: &LlvmCall) -> Result<bool> {
        let module = self.unit.module;
        let Value::Constant(constant) = call.callee else { return Ok(false) };
        match &module.constants[constant].kind {
            ConstantKind::InlineAssembly(assembly) => {
                self.inline_assembly(instruction, call, assembly)?;
                Ok(true)
            }
            ConstantKind::Global(global) if module.globals[*global].name.starts_with("llvm.") => {
                self.intrinsic(instruction, call, *global)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn make_call(&mut self, instruction: &Instruction, call: &LlvmCall) -> Result<Call> {
        let module = self.unit.module;
        let target = self.scalar(call.callee)?;
        if !self.type_of(target).is_pointer() {
            return Err(malformed("a call of something that is no address"));
        }
        let constant = target.as_const().map(|constant| &self.lowering.program.constants[constant]);
        let callee = match constant {
            Some(Constant::Function(function)) => Callee::Direct(*function),
            _ => Callee::Indirect(target),
        };
        let declared = module.direct_callee(call);
        if self.returns_twice(call, declared) {
            self.body.calls_returns_twice = true;
        }
        // LLVM looks at the call first and then at the function that it names.
        let function = declared.and_then(|declared| module.globals[declared].function());
        let by_call = self.lowering.by_value(self.unit_index, call.attributes)?;
        let by_function = self.lowering.by_value(self.unit_index, function.and_then(|function| function.attributes))?;
        let lists = [call.attributes, function.and_then(|function| function.attributes)];
        let is_signed = |place: AttributePlace| {
            lists.iter().any(|list| module.has_attribute(*list, place, AttributeKind::SIGN_EXTEND))
        };
        let mut data = CallData {
            callee,
            args: Vec::with_capacity(call.arguments.len()),
            arg_types: Vec::with_capacity(call.arguments.len()),
            by_value: Vec::new(),
            results: Vec::new(),
            result_types: Vec::new(),
            fixed_args: 0,
            sign_extended: Vec::new(),
            sign_extended_result: is_signed(AttributePlace::Result),
            must_tail: call.tail == TailKind::MustTail,
        };
        let fixed = module.types.function(call.function_type).map_or(0, |ty| ty.parameters.len());
        for (at, argument) in call.arguments.iter().enumerate() {
            if let Some(found) = at_argument(&by_call, at).or_else(|| at_argument(&by_function, at)) {
                data.by_value.push((data.args.len() as u32, found.bytes, found.align));
            }
            if is_signed(AttributePlace::Parameter(at as u32)) {
                data.sign_extended.push(data.args.len() as u32);
            }
            self.pass(*argument, &mut data)?;
            if at < fixed {
                data.fixed_args = data.args.len() as u32;
            }
        }
        self.spend(data.args.len())?;
        let (lowered, results) = self.fresh(instruction.ty)?;
        data.result_types = results.iter().map(|reg| self.body.registers[*reg]).collect();
        data.results = results;
        self.define_lowered(instruction, lowered);
        Ok(self.body.calls.push(data))
    }

    fn pass(&mut self, argument: Value, data: &mut CallData) -> Result<()> {
        if self.unit.types.scalar(self.type_id(argument))?.is_some() {
            let operand = self.scalar(argument)?;
            data.arg_types.push(self.type_of(operand));
            data.args.push(operand);
            return Ok(());
        }
        for operand in self.list(argument)? {
            data.arg_types.push(self.type_of(operand));
            data.args.push(operand);
        }
        Ok(())
    }

    fn returns_twice(&self, call: &LlvmCall, declared: Option<GlobalId>) -> bool {
        let module = self.unit.module;
        let marked = |list| module.has_attribute(list, AttributePlace::Function, AttributeKind::RETURNS_TWICE);
        let Some(declared) = declared else { return marked(call.attributes) };
        let global = &module.globals[declared];
        let known = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork"].contains(&global.name.as_str());
        known || marked(call.attributes) || global.function().is_some_and(|function| marked(function.attributes))
    }

    /// Emits a call of something other than a function of the module; its results, one of each type.
    pub fn push_call(&mut self, callee: Callee, args: &[Operand], results: &[Type]) -> Result<Vec<Reg>> {
        self.spend(args.len() + results.len())?;
        let registers: Vec<Reg> = results.iter().map(|ty| self.register(*ty)).collect();
        let call = self.body.calls.push(CallData {
            callee,
            args: args.to_vec(),
            arg_types: args.iter().map(|arg| self.type_of(*arg)).collect(),
            by_value: Vec::new(),
            results: registers.clone(),
            result_types: results.to_vec(),
            fixed_args: args.len() as u32,
            sign_extended: Vec::new(),
            sign_extended_result: false,
            must_tail: false,
        });
        self.emit(Inst::Call { call })?;
        Ok(registers)
    }

    /// A call of an intrinsic with one result.
    pub fn call_intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        ty: Type,
        args: &[Operand],
        result: Type,
    ) -> Result<Operand> {
        let results = self.push_call(Callee::Intrinsic(intrinsic, ty), args, &[result])?;
        results.first().map(|reg| (*reg).into()).ok_or_else(|| malformed("a call without its result"))
    }

    /// Something that ends the path when it is reached, in the place of an instruction.
    pub fn unsupported_call(&mut self, instruction: &Instruction, what: &str) -> Result<()> {
        let shape = self.lowering.shape(self.unit_index, instruction.ty)?;
        let registers = self.push_call(Callee::Unsupported(what.into()), &[], &shape.scalars)?;
        let operands: Vec<Operand> = registers.into_iter().map(Operand::from).collect();
        self.define(instruction, &operands)
    }

    pub fn emit_unsupported(&mut self, what: &str) -> Result<()> {
        self.push_call(Callee::Unsupported(what.into()), &[], &[]).map(|_| ())
    }

    pub fn variable_argument(&mut self, instruction: &Instruction, list: Value) -> Result<()> {
        let list = self.scalar(list)?;
        match self.unit.types.scalar(instruction.ty)? {
            Some(ty) => {
                let result = self.call_intrinsic(Intrinsic::VaArg, ty, &[list], ty)?;
                self.define_one(instruction, result)
            }
            None => self.unsupported_call(instruction, "a variable argument that is an aggregate"),
        }
    }
}

/// What is known of one argument; the list is sorted.
pub(crate) fn at_argument(list: &[ByValue], at: usize) -> Option<ByValue> {
    let found = list.binary_search_by_key(&at, |by_value| by_value.argument as usize).ok()?;
    Some(list[found])
}

impl super::Lowering<'_> {
    /// The arguments that an attribute list says are passed by value in memory, in their order.
    pub fn by_value(&mut self, unit: UnitIndex, list: Option<AttributeListId>) -> Result<Rc<[ByValue]>> {
        let Some(list) = list else { return Ok(Rc::default()) };
        if let Some(known) = &self.caches[unit].by_value[list] {
            return Ok(Rc::clone(known));
        }
        let mut found = self.find_by_value(unit, list)?;
        found.sort_by_key(|by_value| by_value.argument);
        found.dedup_by_key(|by_value| by_value.argument);
        let found: Rc<[ByValue]> = found.into();
        self.caches[unit].by_value[list] = Some(Rc::clone(&found));
        Ok(found)
    }

    fn find_by_value(&self, unit: UnitIndex, list: AttributeListId) -> Result<Vec<ByValue>> {
        let module = self.units[unit].module;
        let mut found = Vec::new();
        for (place, group) in &module.attribute_lists[list].entries {
            let AttributePlace::Parameter(argument) = *place else { continue };
            let attributes = &module.attribute_groups[*group].attributes;
            let by_value = attributes.iter().find(|attribute| attribute.kind() == Some(AttributeKind::BY_VALUE));
            let ty: TypeId = match by_value {
                None => continue,
                Some(Attribute::Type(_, Some(ty))) => *ty,
                Some(_) => return Err(unsupported("an argument passed by value whose type the file does not say")),
            };
            let layout = self.units[unit].types.layout(ty)?;
            let explicit = attributes.iter().find_map(|attribute| match attribute {
                Attribute::Integer(AttributeKind::ALIGNMENT, align) => Some(*align),
                _ => None,
            });
            let align = explicit.unwrap_or(layout.align).clamp(1, 1 << 29) as u32;
            found.push(ByValue { argument, bytes: layout.size, align });
        }
        Ok(found)
    }
}
