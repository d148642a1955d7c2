//! Function bodies: numbering of values, blocks, names, source locations, debug records. Instructions themselves are
//! in `instructions`.

use llvm_bitcode::schema::blocks::{BlockId as FileBlock, FunctionCode, ValueSymtabCode};

use crate::bitstream::{Entry, Record};
use crate::module::{
    Block, BlockId, ConstantId, DebugLocation, DebugRecord, DebugRecordKind, FunctionBody, GlobalId, GlobalKind,
    Instruction, InstructionId, InstructionKind, LocationId, OperandBundle, ResultId, TypeId, Value,
};

use super::Problem;
use super::checks;
use super::constants::ConstantNumbers;
use super::instructions::InstructionReader;
use super::module_block::ModuleDecoder;
use super::operands::{Operands, text, to_u32};

/// A record of LLVM 22 that the crate does not name yet: a variable whose value does not change in its scope.
const DEBUG_RECORD_DECLARE_VALUE: u32 = 66;

/// A function being decoded.
pub(super) struct FunctionDecoder {
    pub body: FunctionBody,
    /// What the function returns.
    pub result_type: TypeId,
    /// How many blocks it has; those with a terminator are in `body.blocks`.
    pub block_count: u32,
    /// Operand bundles for the next call.
    pub bundles: Vec<OperandBundle>,
    /// Results that were used before they were made, with the type that they must have.
    forward: Vec<(ResultId, TypeId)>,
    /// Numbers of the file: values of the module, then arguments, then constants of the function, then results.
    module_values: u32,
    first_constant: u32,
    first_result: u32,
    /// The constant that the first constant of the function became.
    constants_start: u32,
    /// Whether a result was referred to or made, so that there can be no more constants.
    results_begun: bool,
    /// The first instruction of the current block.
    block_start: u32,
    /// Whether the current block has instructions other than phis.
    past_phis: bool,
    last_location: Option<LocationId>,
}

impl<'a> ModuleDecoder<'a> {
    /// Reads a function block, which has just been entered.
    pub(super) fn read_function(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        if !self.bodies_begun {
            self.finish_globals()?;
            self.bodies_begun = true;
            self.module_values = to_u32(self.module.constants.len() as u64)?;
        }
        let global = self.bodies.pop_front().ok_or(Problem::Invalid("a body of no function"))?;
        self.begin_function_metadata();
        let mut function = FunctionDecoder::new(self, global)?;
        loop {
            match self.reader.next(record)? {
                Entry::End => break,
                Entry::Block(block) => self.read_function_part(block, record, &mut function, global)?,
                Entry::Record => function.read_record(self, record)?,
            }
        }
        let body = function.finish()?;
        if let GlobalKind::Function(function) = &mut self.module.globals[global].kind {
            function.body = Some(Box::new(body));
        }
        Ok(())
    }

    /// Reads a block inside a function block.
    fn read_function_part(
        &mut self,
        block: u32,
        record: &mut Record<'a>,
        function: &mut FunctionDecoder,
        global: GlobalId,
    ) -> Result<(), Problem> {
        match u8::try_from(block).ok().and_then(|block| FileBlock::try_from(block).ok()) {
            Some(FileBlock::Constants) => {
                if function.results_begun {
                    return Err(Problem::Invalid("constants of a function after its first instruction"));
                }
                self.reader.enter_block()?;
                self.read_constants(function.constant_numbers(), record)?;
                function.end_constants(self)
            }
            Some(FileBlock::Metadata) => {
                self.reader.enter_block()?;
                self.read_metadata(record, Some(function))
            }
            Some(FileBlock::ValueSymtab) => {
                self.reader.enter_block()?;
                self.read_function_symbols(record, function)
            }
            Some(FileBlock::MetadataAttachment) => {
                self.reader.enter_block()?;
                self.read_function_attachments(record, global)
            }
            _ => self.reader.skip_block(),
        }
    }

    /// Names of arguments, results and blocks.
    fn read_function_symbols(
        &mut self,
        record: &mut Record<'a>,
        function: &mut FunctionDecoder,
    ) -> Result<(), Problem> {
        while self.reader.next_record(record)? {
            let Some((&index, name)) = record.values.split_first() else { return Err(Problem::MissingOperand) };
            let name = text(name).into();
            if record.code == ValueSymtabCode::BbEntry as u32 {
                let block = to_u32(index)?;
                let block = function.body.blocks.get_mut(BlockId::from_u32(block.min(u32::MAX - 1)));
                block.ok_or(Problem::NoSuch { what: "block", index })?.name = Some(name);
            } else if record.code == ValueSymtabCode::Entry as u32 {
                function.name_value(to_u32(index)?, name)?;
            }
        }
        Ok(())
    }
}

impl FunctionDecoder {
    fn new(module: &ModuleDecoder<'_>, global: GlobalId) -> Result<Self, Problem> {
        let ty = module.module.types.function(module.module.globals[global].value_type);
        let ty = ty.ok_or(Problem::Invalid("a function whose type is no function type"))?;
        let constants_start = to_u32(module.module.constants.len() as u64)?;
        let arguments = to_u32(ty.parameters.len() as u64)?;
        let first_constant = module.module_values.checked_add(arguments).ok_or(Problem::Truncated)?;
        Ok(FunctionDecoder {
            body: FunctionBody { argument_types: ty.parameters.clone(), ..FunctionBody::default() },
            result_type: ty.result,
            block_count: 0,
            bundles: Vec::new(),
            forward: Vec::new(),
            module_values: module.module_values,
            first_constant,
            first_result: first_constant,
            constants_start,
            results_begun: false,
            block_start: 0,
            past_phis: false,
            last_location: None,
        })
    }

    fn constant_numbers(&self) -> ConstantNumbers {
        ConstantNumbers {
            module_values: self.module_values,
            first_local: self.first_constant,
            first_local_constant: self.constants_start,
        }
    }

    fn end_constants(&mut self, module: &ModuleDecoder<'_>) -> Result<(), Problem> {
        let count = to_u32(module.module.constants.len() as u64)? - self.constants_start;
        self.first_result = self.first_constant.checked_add(count).ok_or(Problem::Truncated)?;
        Ok(())
    }

    /// The number that the next result will have.
    pub fn next_number(&self) -> u32 {
        self.first_result.wrapping_add(self.body.results.len() as u32)
    }

    /// The value with a number of the file, whether it exists already or not.
    fn numbered(&mut self, number: u32) -> Result<Value, Problem> {
        if number < self.module_values {
            Ok(Value::Constant(ConstantId::from_u32(number)))
        } else if number < self.first_constant {
            Ok(Value::Argument(number - self.module_values))
        } else if number < self.first_result {
            Ok(Value::Constant(ConstantId::from_u32(self.constants_start + (number - self.first_constant))))
        } else {
            self.results_begun = true;
            let result = number - self.first_result;
            // The greatest number means "none" to the tables.
            let result = Some(result).filter(|&result| result != u32::MAX).map(ResultId::from_u32);
            result.map(Value::Result).ok_or(Problem::NoSuch { what: "value", index: number.into() })
        }
    }

    /// The type of a value; `None` if it is a result that has not been made yet.
    fn known_type(&self, module: &ModuleDecoder<'_>, value: Value) -> Option<TypeId> {
        match value {
            Value::Result(result) if !self.body.results.is_valid(result) => None,
            _ => Some(module.module.type_of(&self.body, value)),
        }
    }

    /// The value with a number of the file, which must have a type or get it later.
    pub fn typed_value(
        &mut self,
        module: &mut ModuleDecoder<'_>,
        number: u32,
        expected: TypeId,
    ) -> Result<Value, Problem> {
        if expected == module.module.types.metadata_type() {
            return module.known_metadata(number.into()).map(Value::Metadata);
        }
        let value = self.numbered(number)?;
        match (self.known_type(module, value), value) {
            (Some(ty), _) if ty == expected => Ok(value),
            (None, Value::Result(result)) => {
                self.forward.push((result, expected));
                Ok(value)
            }
            _ => Err(Problem::Invalid("an operand of another type than it should be")),
        }
    }

    /// Like `typed_value`, with a number of 64 bits that counts from the start.
    pub fn absolute_value(
        &mut self,
        module: &mut ModuleDecoder<'_>,
        number: u64,
        expected: TypeId,
    ) -> Result<Value, Problem> {
        self.typed_value(module, to_u32(number)?, expected)
    }

    /// The value with a number that counts back from the next result, and its type, which the record gives if the
    /// value does not exist yet.
    pub fn value_with_type(
        &mut self,
        module: &mut ModuleDecoder<'_>,
        operands: &mut Operands<'_>,
    ) -> Result<(Value, TypeId), Problem> {
        let number = self.next_number().wrapping_sub(operands.take()? as u32);
        if number < self.next_number() {
            let value = self.numbered(number)?;
            let ty = self.known_type(module, value).ok_or(Problem::NoSuch { what: "value", index: number.into() })?;
            return Ok((value, ty));
        }
        let ty = module.type_at(operands.take()?)?;
        Ok((self.typed_value(module, number, ty)?, ty))
    }

    fn name_value(&mut self, number: u32, name: Box<str>) -> Result<(), Problem> {
        match self.numbered(number)? {
            Value::Argument(index) => {
                let index = index as usize;
                if self.body.argument_names.len() <= index {
                    self.body.argument_names.resize(index + 1, None);
                }
                self.body.argument_names[index] = Some(name);
            }
            Value::Result(result) if self.body.results.is_valid(result) => {
                self.body.result_names[result] = Some(name);
            }
            _ => return Err(Problem::NoSuch { what: "value", index: number.into() }),
        }
        Ok(())
    }

    fn read_record(&mut self, module: &mut ModuleDecoder<'_>, record: &Record<'_>) -> Result<(), Problem> {
        if record.code == DEBUG_RECORD_DECLARE_VALUE {
            return self.read_debug_record(module, FunctionCode::DebugRecordValue, Operands::new(&record.values));
        }
        let code = u8::try_from(record.code).ok().and_then(|code| FunctionCode::try_from(code).ok());
        let code = code.ok_or(Problem::UnknownRecord(record.code))?;
        let mut operands = Operands::new(&record.values);
        match code {
            FunctionCode::DeclareBlocks => {
                let count = operands.take()?;
                // Every block takes at least some bits for its terminator.
                if count == 0 || self.block_count != 0 || count > module.reader.remaining_bits() as u64 {
                    return Err(Problem::Invalid("an impossible number of blocks"));
                }
                self.block_count = to_u32(count)?;
                Ok(())
            }
            FunctionCode::DebugLoc => self.read_location(module, operands),
            FunctionCode::DebugLocAgain => {
                let location = self.last_location.ok_or(Problem::Invalid("a location again but none before"))?;
                let last = self.last_instruction()?;
                self.body.instructions[last].location = location.into();
                Ok(())
            }
            FunctionCode::BlockaddrUsers => Ok(()),
            FunctionCode::DebugRecordValue
            | FunctionCode::DebugRecordDeclare
            | FunctionCode::DebugRecordAssign
            | FunctionCode::DebugRecordValueSimple
            | FunctionCode::DebugRecordLabel => self.read_debug_record(module, code, operands),
            FunctionCode::OperandBundle => InstructionReader { function: self, module, operands }.operand_bundle(),
            _ => {
                let mut reader = InstructionReader { function: self, module, operands };
                let (kind, ty) = reader.instruction(code)?;
                self.push_instruction(module, kind, ty)
            }
        }
    }

    fn push_instruction(
        &mut self,
        module: &ModuleDecoder<'_>,
        kind: InstructionKind,
        ty: TypeId,
    ) -> Result<(), Problem> {
        if self.body.blocks.len() as u64 >= u64::from(self.block_count) {
            return Err(Problem::Invalid("an instruction outside of blocks"));
        }
        if !self.bundles.is_empty() {
            return Err(Problem::Invalid("operand bundles of something that is no call"));
        }
        let phi = matches!(kind, InstructionKind::Phi { .. });
        if phi && self.past_phis {
            return Err(Problem::Invalid("a phi after other instructions"));
        }
        self.past_phis = !phi;
        let terminator = kind.is_terminator();
        let id = self.body.instructions.next_key();
        let makes_result = ty != module.module.types.void_type();
        if makes_result && (self.next_number() >= u32::MAX - 1 || !module.module.types[ty].is_first_class()) {
            return Err(Problem::Invalid("an instruction whose result cannot be used"));
        }
        let result = makes_result.then(|| self.body.results.push(id)).into();
        self.body.instructions.push(Instruction { kind, ty, result, location: None.into() });
        self.results_begun = true;
        if terminator {
            let end = self.body.instructions.next_key();
            let first = InstructionId::from_u32(self.block_start);
            self.body.blocks.push(Block { name: None, first, end });
            self.block_start = end.as_u32();
            self.past_phis = false;
        }
        Ok(())
    }

    fn last_instruction(&self) -> Result<InstructionId, Problem> {
        let last = self.body.instructions.last().map(|(id, _)| id);
        last.ok_or(Problem::Invalid("debug information before the first instruction"))
    }

    /// `[line, column, scope, inlined at, implicit, …]`
    fn read_location(&mut self, module: &mut ModuleDecoder<'_>, mut operands: Operands<'_>) -> Result<(), Problem> {
        let (line, column) = (operands.take_truncated()?, operands.take_truncated()?);
        let scope = operands.take()?.checked_sub(1).ok_or(Problem::Invalid("a location without a scope"))?;
        let scope = module.known_metadata(scope)?;
        let inlined_at = operands.take()?.checked_sub(1);
        let inlined_at = inlined_at.map(|number| module.known_metadata(number)).transpose()?;
        let implicit = operands.or_zero() != 0;
        let last = self.last_instruction()?;
        let location = self.body.locations.push(DebugLocation { line, column, scope, inlined_at, implicit });
        self.body.instructions[last].location = location.into();
        self.last_location = Some(location);
        Ok(())
    }

    /// `[location, variable, expression, value, …]` or `[location, label]`. Such a record follows the instruction
    /// that it comes before.
    fn read_debug_record(
        &mut self,
        module: &mut ModuleDecoder<'_>,
        code: FunctionCode,
        mut operands: Operands<'_>,
    ) -> Result<(), Problem> {
        let before = self.last_instruction()?;
        let location = module.known_metadata(operands.take()?)?;
        let variable = module.known_metadata(operands.take()?)?;
        let kind = if code == FunctionCode::DebugRecordLabel {
            DebugRecordKind::Label { label: variable }
        } else {
            let expression = module.known_metadata(operands.take()?)?;
            let value = if code == FunctionCode::DebugRecordValueSimple {
                Some(self.value_with_type(module, &mut operands)?.0)
            } else {
                described_value(module, operands.take()?)?
            };
            match code {
                FunctionCode::DebugRecordDeclare => DebugRecordKind::Declare { variable, expression, address: value },
                FunctionCode::DebugRecordAssign => {
                    let _assignment = operands.take()?;
                    let address_expression = module.known_metadata(operands.take()?)?;
                    let address = described_value(module, operands.take()?)?;
                    DebugRecordKind::Assign { variable, expression, value, address_expression, address }
                }
                _ => DebugRecordKind::Value { variable, expression, value },
            }
        };
        self.body.debug_records.push(DebugRecord { before, location, kind });
        Ok(())
    }

    /// What can be checked only when all is read.
    fn finish(mut self) -> Result<FunctionBody, Problem> {
        if !self.bundles.is_empty() {
            return Err(Problem::Invalid("operand bundles of something that is no call"));
        }
        if self.block_count == 0 || (self.body.blocks.len() as u64) < u64::from(self.block_count) {
            return Err(Problem::Invalid("a block without a terminator"));
        }
        for (result, expected) in std::mem::take(&mut self.forward) {
            let instruction = self.body.results.get(result).map(|&id| &self.body.instructions[id]);
            match instruction {
                Some(instruction) if instruction.ty == expected => {}
                Some(_) => return Err(Problem::Invalid("an operand of another type than it should be")),
                None => return Err(Problem::NoSuch { what: "result", index: result.as_u32().into() }),
            }
        }
        checks::check_phis(&self.body)?;
        Ok(self.body)
    }
}

/// The value in a node that describes one: `None` if it was optimised away.
fn described_value(module: &mut ModuleDecoder<'_>, number: u64) -> Result<Option<Value>, Problem> {
    let id = module.known_metadata(number)?;
    Ok(module.module.metadata.value(id))
}
