//! The module block: which blocks it has, and the module's own small records.

use std::sync::Arc;

use llvm_bitcode::schema::blocks::{BlockId, ModuleCode, OperandBundleTagCode, SyncScopeNameCode, ValueSymtabCode};
use rustc_hash::FxHashMap;

use crate::bitstream::{BLOCK_INFO, BlockReader, Entry, Record};
use crate::module::{
    AttributeGroupId, AttributePlace, Comdat, ComdatSelection, ConstantId, ConstantKind, GlobalId, GlobalKind, Module,
};

use super::Problem;
use super::checks;
use super::globals::PendingOperands;
use super::metadata::MetadataNumbers;
use super::operands::{Operands, text, text_of_bytes};
use super::types::FileType;

/// A module being decoded, and what is needed only until then.
pub(super) struct ModuleDecoder<'a> {
    pub reader: BlockReader<'a>,
    pub module: Module,
    /// The string table, if the file has one.
    pub strings: Option<&'a [u8]>,
    /// How many more bytes may be made of things that a few bits can stand for.
    pub budget: usize,
    /// Whether names are in the string table (since LLVM 5) instead of the symbol table.
    pub names_in_strings: bool,
    /// The types of the file.
    pub types: Vec<FileType>,
    /// Attribute groups by their number in the file.
    pub attribute_groups: FxHashMap<u64, (AttributePlace, AttributeGroupId)>,
    pub sections: Vec<Arc<str>>,
    pub collectors: Vec<Arc<str>>,
    pub bundle_tags: Vec<Arc<str>>,
    /// Initialisers and the like, which refer to constants that come later.
    pub pending: Vec<PendingOperands>,
    /// Functions whose bodies are to come, in the order of their bodies.
    pub bodies: std::collections::VecDeque<GlobalId>,
    /// Whether a function body was seen: from there on, the module's own values and metadata are complete.
    pub bodies_begun: bool,
    /// How many values the module has, once that is known.
    pub module_values: u32,
    pub metadata: MetadataNumbers,
}

impl<'a> ModuleDecoder<'a> {
    pub fn new(reader: BlockReader<'a>, strings: Option<&'a [u8]>, budget: usize) -> Self {
        ModuleDecoder {
            reader,
            module: Module::default(),
            strings,
            budget,
            names_in_strings: false,
            types: Vec::new(),
            attribute_groups: FxHashMap::default(),
            sections: Vec::new(),
            collectors: Vec::new(),
            bundle_tags: Vec::new(),
            pending: Vec::new(),
            bodies: Default::default(),
            bodies_begun: false,
            module_values: 0,
            metadata: MetadataNumbers::default(),
        }
    }

    /// Reads the whole module block, which comes next.
    pub fn decode(&mut self) -> Result<(), Problem> {
        let mut record = Record::default();
        self.reader.next(&mut record)?;
        self.reader.enter_block()?;
        loop {
            match self.reader.next(&mut record)? {
                Entry::End => break,
                Entry::Block(block) => self.read_block(block, &mut record)?,
                Entry::Record => self.read_record(&record)?,
            }
        }
        self.finish()
    }

    fn read_block(&mut self, block: u32, record: &mut Record<'a>) -> Result<(), Problem> {
        if block == BLOCK_INFO {
            return self.reader.read_block_info(record);
        }
        let Some(block) = u8::try_from(block).ok().and_then(|block| BlockId::try_from(block).ok()) else {
            return self.reader.skip_block();
        };
        let early = matches!(block, BlockId::Constants | BlockId::Metadata | BlockId::Type);
        if early && self.bodies_begun {
            return Err(Problem::Invalid("types, constants or metadata of the module after function bodies"));
        }
        let known = match block {
            BlockId::ParamAttrGroup => Self::read_attribute_groups,
            BlockId::ParamAttr => Self::read_attribute_lists,
            BlockId::Type => Self::read_types,
            BlockId::Constants => Self::read_module_constants,
            BlockId::Metadata => Self::read_module_metadata,
            BlockId::Function => Self::read_function,
            BlockId::ValueSymtab => Self::read_module_symbols,
            BlockId::OperandBundleTags => Self::read_bundle_tags,
            BlockId::SyncScopeNames => Self::read_sync_scopes,
            _ => return self.reader.skip_block(),
        };
        self.reader.enter_block()?;
        known(self, record)
    }

    fn read_record(&mut self, record: &Record<'_>) -> Result<(), Problem> {
        let Some(code) = u8::try_from(record.code).ok().and_then(|code| ModuleCode::try_from(code).ok()) else {
            return Ok(());
        };
        #[allow(deprecated, reason = "old files have old records")]
        match code {
            ModuleCode::Version => match Operands::new(&record.values).take()? {
                0 => return Err(Problem::Unsupported("bitcode of LLVM before version 3.3")),
                1 => self.names_in_strings = false,
                2 => self.names_in_strings = true,
                _ => return Err(Problem::Unsupported("a newer version of the bitcode format")),
            },
            ModuleCode::Triple => self.module.triple = text(&record.values),
            ModuleCode::Datalayout => self.module.data_layout = text(&record.values),
            ModuleCode::SourceFilename => self.module.source_file = text(&record.values),
            ModuleCode::Asm => {
                let assembly = &mut self.module.assembly;
                assembly.push_str(&text(&record.values));
                if !assembly.is_empty() && !assembly.ends_with('\n') {
                    assembly.push('\n');
                }
            }
            ModuleCode::SectionName => self.sections.push(text(&record.values).into()),
            ModuleCode::GCName => self.collectors.push(text(&record.values).into()),
            ModuleCode::Comdat => self.read_comdat(&record.values)?,
            ModuleCode::GlobalVar => self.read_global_variable(&record.values)?,
            ModuleCode::Function => self.read_function_header(&record.values)?,
            ModuleCode::Alias | ModuleCode::AliasOld | ModuleCode::Ifunc => self.read_alias(code, &record.values)?,
            _ => {}
        }
        Ok(())
    }

    fn read_comdat(&mut self, values: &[u64]) -> Result<(), Problem> {
        let (name, mut operands) = self.take_name(values)?;
        let selection = match operands.take()? {
            2 => ComdatSelection::ExactMatch,
            3 => ComdatSelection::Largest,
            4 => ComdatSelection::NoDeduplicate,
            5 => ComdatSelection::SameSize,
            _ => ComdatSelection::Any,
        };
        let name = if self.names_in_strings {
            name
        } else {
            let length = operands.take()?;
            text(operands.take_many(length)?)
        };
        self.module.comdats.push(Comdat { name, selection });
        Ok(())
    }

    /// The name at the front of a record of a global, if names are stored there, and what follows it.
    pub(super) fn take_name<'r>(&mut self, values: &'r [u64]) -> Result<(String, Operands<'r>), Problem> {
        let mut operands = Operands::new(values);
        if !self.names_in_strings {
            return Ok((String::new(), operands));
        }
        let (start, length) = (operands.take()?, operands.take()?);
        let strings = self.strings.ok_or(Problem::Invalid("names but no string table"))?;
        let range =
            usize::try_from(start).ok().zip(start.checked_add(length).and_then(|end| usize::try_from(end).ok()));
        let bytes = range.and_then(|(start, end)| strings.get(start..end));
        let bytes = bytes.ok_or(Problem::Invalid("a name that lies beyond the string table"))?;
        // Many names could share one long string.
        self.spend(bytes.len())?;
        Ok((text_of_bytes(bytes), operands))
    }

    /// Takes from the budget. An honest file never gets near its end.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), Problem> {
        let left = self.budget.checked_sub(bytes);
        self.budget = left.ok_or(Problem::Invalid("few bits that stand for far too much data"))?;
        Ok(())
    }

    /// Reads the module's symbol table: the names of globals in files that have no string table.
    fn read_module_symbols(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        while self.reader.next_record(record)? {
            let skipped = match record.code {
                code if code == ValueSymtabCode::Entry as u32 => 1,
                code if code == ValueSymtabCode::FnEntry as u32 => 2,
                _ => continue,
            };
            if self.names_in_strings {
                continue;
            }
            let index = Operands::new(&record.values).take()?;
            let name = text(record.values.get(skipped..).ok_or(Problem::MissingOperand)?);
            let constant = self.module_constant(index)?;
            match self.module.global_of(constant) {
                Some(global) => self.module.globals[global].name = name,
                None => return Err(Problem::Invalid("a name for something that is no global")),
            }
        }
        Ok(())
    }

    fn read_bundle_tags(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        while self.reader.next_record(record)? {
            if record.code == OperandBundleTagCode::Tag as u32 {
                self.bundle_tags.push(text(&record.values).into());
            }
        }
        Ok(())
    }

    fn read_sync_scopes(&mut self, record: &mut Record<'a>) -> Result<(), Problem> {
        while self.reader.next_record(record)? {
            if record.code == SyncScopeNameCode::Name as u32 {
                self.module.sync_scopes.push(text(&record.values));
            }
        }
        Ok(())
    }

    /// A value of the module (not of a function) by its number in the file. These are the first constants.
    pub(super) fn module_constant(&self, index: u64) -> Result<ConstantId, Problem> {
        if index >= self.module.constants.len() as u64 {
            return Err(Problem::NoSuch { what: "value", index });
        }
        Ok(ConstantId::from_u32(index as u32))
    }

    /// What can be done only when all is read.
    fn finish(&mut self) -> Result<(), Problem> {
        self.finish_globals()?;
        if !self.bodies.is_empty() {
            return Err(Problem::Invalid("functions whose bodies are missing"));
        }
        self.check_block_addresses()?;
        checks::check_constants(&self.module)
    }

    /// Block addresses may be used before the function is read that they lead into.
    fn check_block_addresses(&self) -> Result<(), Problem> {
        for constant in self.module.constants.values() {
            let ConstantKind::BlockAddress { function, block } = constant.kind else { continue };
            let body = match &self.module.globals[function].kind {
                GlobalKind::Function(function) => function.body.as_ref(),
                _ => None,
            };
            // The entry cannot be jumped to, so its address cannot be taken.
            if block.as_u32() == 0 || !body.is_some_and(|body| body.blocks.is_valid(block)) {
                return Err(Problem::NoSuch { what: "block with its address taken", index: block.as_u32().into() });
            }
        }
        Ok(())
    }
}
