//! Blocks of metadata: their numbering, strings, plain nodes, values, names, attachments. The nodes of debug
//! information are in `debug_nodes`. Nothing here follows references, so cycles do no harm.

use llvm_bitcode::schema::blocks::MetadataCode;

use crate::bitstream::{BitCursor, Record};
use crate::module::{GlobalId, GlobalKind, Metadata, MetadataId, NamedMetadata, Value};

use super::Problem;
use super::function::FunctionDecoder;
use super::module_block::ModuleDecoder;
use super::operands::{Operands, text, text_of_bytes};

/// The kind of attachments that are debug information: the first that LLVM ever had.
const DEBUG_KIND: u64 = 0;
/// The kind of those that say what stands before a function for `-fsanitize=function`, since LLVM 15.
const SIGNATURE_KIND: u64 = 32;

/// How numbers of the file become metadata ids. Those of the module are ids. Those of a function follow them in the
/// file, but in our table they come after those of all functions before it.
#[derive(Debug, Default)]
pub(super) struct MetadataNumbers {
    /// How many belong to the module, once that is known.
    module_count: Option<u32>,
    /// The first id of the current function.
    function_start: u32,
    /// One more than the greatest id that was referred to in the current block.
    referred: u32,
}

impl MetadataNumbers {
    fn id(&mut self, number: u64) -> Result<MetadataId, Problem> {
        let missing = Problem::NoSuch { what: "metadata", index: number };
        let number = u32::try_from(number).map_err(|_| missing.clone())?;
        let id = match self.module_count {
            Some(count) if number >= count => self.function_start.checked_add(number - count).ok_or(missing.clone())?,
            _ => number,
        };
        if id >= u32::MAX - 1 {
            return Err(missing);
        }
        self.referred = self.referred.max(id + 1);
        Ok(MetadataId::from_u32(id))
    }
}

impl<'a> ModuleDecoder<'a> {
    /// Reads the module's block of metadata, which has just been entered.
    pub(super) fn read_module_metadata(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        self.read_metadata(record, None)
    }

    /// From here on, numbers beyond the module's own metadata mean that of a function.
    pub(super) fn begin_function_metadata(&mut self) {
        let count = self.module.metadata.nodes.len() as u32;
        self.metadata.module_count.get_or_insert(count);
        self.metadata.function_start = count;
    }

    /// Reads a block of metadata, which has just been entered.
    pub(super) fn read_metadata(
        &mut self,
        record: &mut Record<'a>,
        mut function: Option<&mut FunctionDecoder>,
    ) -> Result<(), Problem> {
        let mut name = None;
        self.metadata.referred = 0;
        while self.reader.next_record(record)? {
            if record.code == MetadataCode::Name as u32 {
                name = Some(text(&record.values));
                continue;
            }
            if record.code == MetadataCode::NamedNode as u32 {
                let name = name.take().ok_or(Problem::Invalid("a named node without a name"))?;
                let operands = record.values.iter().map(|&number| self.metadata.id(number));
                let operands = operands.collect::<Result<_, _>>()?;
                self.module.metadata.named.push(NamedMetadata { name, operands });
                continue;
            }
            self.read_metadata_record(record, function.as_deref_mut())?;
        }
        self.check_references()
    }

    /// Reads a function's block of attachments, which has just been entered. Those of instructions are not kept.
    pub(super) fn read_function_attachments(
        &mut self,
        record: &mut Record<'a>,
        global: GlobalId,
    ) -> Result<(), Problem> {
        self.metadata.referred = 0;
        while self.reader.next_record(record)? {
            if record.code == MetadataCode::Attachment as u32 && record.values.len().is_multiple_of(2) {
                self.attach(global, Operands::new(&record.values))?;
            }
        }
        self.check_references()
    }

    /// Whether all that was referred to in the current block exists.
    fn check_references(&self) -> Result<(), Problem> {
        if self.metadata.referred as usize > self.module.metadata.nodes.len() {
            return Err(Problem::NoSuch { what: "metadata", index: u64::from(self.metadata.referred) - 1 });
        }
        Ok(())
    }

    fn read_metadata_record(
        &mut self,
        record: &Record<'a>,
        function: Option<&mut FunctionDecoder>,
    ) -> Result<(), Problem> {
        let code = u8::try_from(record.code).ok().and_then(|code| MetadataCode::try_from(code).ok());
        // Codes that the crate does not know yet are nodes all the same: they must be counted.
        let Some(code) = code else {
            self.module.metadata.nodes.push(Metadata::Other(record.code));
            return Ok(());
        };
        let mut operands = Operands::new(&record.values);
        let node = match code {
            MetadataCode::Strings => return self.read_metadata_strings(&record.values, record.blob),
            MetadataCode::GlobalDeclAttachment => return self.read_global_attachment(operands),
            MetadataCode::Kind | MetadataCode::IndexOffset | MetadataCode::Index => return Ok(()),
            #[allow(deprecated, reason = "old files have old records")]
            MetadataCode::StringOld => Metadata::String(text(&record.values).into()),
            MetadataCode::Node | MetadataCode::DistinctNode => {
                let elements = record.values.iter().map(|&number| self.metadata_or_none(number));
                let elements = elements.collect::<Result<_, _>>()?;
                Metadata::Node { distinct: code == MetadataCode::DistinctNode, elements }
            }
            MetadataCode::Value => {
                let ty = self.type_at(operands.take()?)?;
                let index = operands.take()?;
                Metadata::Value(match function {
                    Some(function) => function.absolute_value(self, index, ty)?,
                    None => Value::Constant(self.module_constant(index)?),
                })
            }
            MetadataCode::ArgList => self.argument_list(operands)?,
            _ => self.debug_node(code, operands)?,
        };
        self.module.metadata.nodes.push(node);
        Ok(())
    }

    /// `[count, offset of the characters]` and a blob: lengths in chunks of six bits, then all characters.
    fn read_metadata_strings(&mut self, values: &[u64], blob: &[u8]) -> Result<(), Problem> {
        let mut operands = Operands::new(values);
        let (count, offset) = (operands.take()?, operands.take()?);
        let split = usize::try_from(offset).ok().and_then(|offset| blob.split_at_checked(offset));
        let (lengths, mut characters) = split.ok_or(Problem::Truncated)?;
        let mut lengths = BitCursor::new(lengths, 0);
        lengths.check_elements(count, 6)?;
        for _ in 0..count {
            let length = usize::try_from(lengths.read_variable(6)?).map_err(|_| Problem::Truncated)?;
            let (string, rest) = characters.split_at_checked(length).ok_or(Problem::Truncated)?;
            characters = rest;
            self.module.metadata.nodes.push(Metadata::String(text_of_bytes(string).into()));
        }
        Ok(())
    }

    /// The values of a list are nodes that come before it.
    fn argument_list(&mut self, operands: Operands<'_>) -> Result<Metadata, Problem> {
        let mut values = Vec::with_capacity(operands.len());
        for &number in operands.rest() {
            let id = self.metadata.id(number)?;
            match self.module.metadata.nodes.get(id) {
                Some(Metadata::Value(value)) => values.push(*value),
                _ => return Err(Problem::Invalid("an argument list of something else than values")),
            }
        }
        Ok(Metadata::ArgumentList(values.into()))
    }

    /// `[global, (kind, node)…]`
    fn read_global_attachment(&mut self, mut operands: Operands<'_>) -> Result<(), Problem> {
        let constant = self.module_constant(operands.take()?)?;
        let Some(global) = self.module.global_of(constant) else {
            return Err(Problem::Invalid("metadata attached to something that is no global"));
        };
        self.attach(global, operands)
    }

    /// Keeps what is known among attachments `[(kind, node)…]`.
    fn attach(&mut self, global: GlobalId, mut operands: Operands<'_>) -> Result<(), Problem> {
        while !operands.is_empty() {
            let (kind, number) = (operands.take()?, operands.take()?);
            let node = self.metadata.id(number)?;
            if kind == DEBUG_KIND {
                self.module.globals[global].debug.push(node);
            } else if kind == SIGNATURE_KIND
                && let GlobalKind::Function(function) = &mut self.module.globals[global].kind
            {
                function.signature = Some(node);
            }
        }
        Ok(())
    }

    /// The metadata with this number.
    pub(super) fn metadata_at(&mut self, number: u64) -> Result<MetadataId, Problem> {
        self.metadata.id(number)
    }

    /// The metadata with this number minus one; zero is none.
    pub(super) fn metadata_or_none(&mut self, number: u64) -> Result<Option<MetadataId>, Problem> {
        number.checked_sub(1).map(|number| self.metadata.id(number)).transpose()
    }

    /// The metadata with this number, which must exist already.
    pub(super) fn known_metadata(&mut self, number: u64) -> Result<MetadataId, Problem> {
        let id = self.metadata.id(number)?;
        if self.module.metadata.nodes.is_valid(id) {
            Ok(id)
        } else {
            Err(Problem::NoSuch { what: "metadata", index: number })
        }
    }
}
