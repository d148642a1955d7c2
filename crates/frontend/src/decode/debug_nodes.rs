//! The metadata nodes of debug information. Records have grown over the years: fields at the end may be missing, and
//! some bits of the first operand tell versions apart. Kinds that no one needs are kept as `Other`.

use llvm_bitcode::schema::blocks::MetadataCode;

use crate::module::{
    BasicType, CompileUnit, CompositeType, ConstantKind, DerivedType, Enumerator, File, GlobalVariableNode,
    ImportedEntity, Label, LexicalBlock, LexicalBlockFile, LocalVariable, Location, Metadata, MetadataId, Namespace,
    Subprogram, Subrange, SubrangeBound, SubroutineType, TemplateParameter, Value,
};

use super::Problem;
use super::module_block::ModuleDecoder;
use super::operands::{Operands, signed};

type Node = Result<Metadata, Problem>;

impl ModuleDecoder<'_> {
    /// Decodes a node of debug information.
    pub(super) fn debug_node(&mut self, code: MetadataCode, operands: Operands<'_>) -> Node {
        match code {
            MetadataCode::Location => self.location(operands),
            MetadataCode::File => self.file(operands),
            MetadataCode::CompileUnit => self.compile_unit(operands),
            MetadataCode::Subprogram => self.subprogram(operands),
            MetadataCode::LexicalBlock => self.lexical_block(operands),
            MetadataCode::LexicalBlockFile => self.lexical_block_file(operands),
            MetadataCode::Namespace => self.namespace(operands),
            MetadataCode::LocalVar => self.local_variable(operands),
            MetadataCode::GlobalVar => self.global_variable_node(operands),
            MetadataCode::GlobalVarExpr => self.global_variable_expression(operands),
            MetadataCode::Expression => expression(operands),
            MetadataCode::Label => self.label(operands),
            MetadataCode::BasicType => self.basic_type(operands),
            MetadataCode::DerivedType => self.derived_type(operands),
            MetadataCode::CompositeType => self.composite_type(operands),
            MetadataCode::SubroutineType => self.subroutine_type(operands),
            MetadataCode::Subrange => self.subrange(operands),
            MetadataCode::Enumerator => self.enumerator(operands),
            MetadataCode::TemplateType => self.template_type(operands),
            MetadataCode::TemplateValue => self.template_value(operands),
            MetadataCode::ImportedEntity => self.imported_entity(operands),
            _ => Ok(Metadata::Other(code as u32)),
        }
    }

    fn reference(&mut self, operands: &mut Operands<'_>) -> Result<Option<MetadataId>, Problem> {
        let number = operands.take()?;
        self.metadata_or_none(number)
    }

    fn optional_reference(&mut self, operands: &mut Operands<'_>) -> Result<Option<MetadataId>, Problem> {
        self.metadata_or_none(operands.or_zero())
    }

    /// A size that newer files may give as a node; only constants among those are of use.
    fn size(&mut self, is_node: bool, number: u64) -> Result<u64, Problem> {
        if !is_node {
            return Ok(number);
        }
        let id = self.metadata_or_none(number)?;
        let Some(Metadata::Value(Value::Constant(constant))) = id.and_then(|id| self.module.metadata.nodes.get(id))
        else {
            return Ok(0);
        };
        match self.module.constants[*constant].kind {
            ConstantKind::Integer(value) => Ok(value),
            _ => Ok(0),
        }
    }

    /// `[distinct, line, column, scope, inlined at, implicit, …]`
    fn location(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let (line, column) = (operands.take_truncated()?, operands.take_truncated()?);
        // Unlike everywhere else, the scope cannot be missing.
        let scope = operands.take()?;
        let scope = Some(self.metadata_at(scope)?);
        let inlined_at = self.reference(&mut operands)?;
        let implicit = operands.or_zero() != 0;
        Ok(Metadata::Location(Box::new(Location { line, column, scope, inlined_at, implicit })))
    }

    /// `[distinct, name, directory, …]`
    fn file(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let (name, directory) = (self.reference(&mut operands)?, self.reference(&mut operands)?);
        Ok(Metadata::File(Box::new(File { name, directory })))
    }

    /// `[distinct, language, file, producer, optimised, flags, runtime version, split name, emission kind, enums,
    /// retained types, subprograms, globals, imported, …]`
    fn compile_unit(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let language = operands.take_truncated()?;
        let file = self.reference(&mut operands)?;
        let producer = self.reference(&mut operands)?;
        let optimized = operands.flag()?;
        operands.take_many(4)?;
        let enums = self.reference(&mut operands)?;
        let retained_types = self.reference(&mut operands)?;
        operands.take()?;
        let globals = self.reference(&mut operands)?;
        let imported = self.reference(&mut operands)?;
        let unit = CompileUnit { language, file, producer, optimized, enums, retained_types, globals, imported };
        Ok(Metadata::CompileUnit(Box::new(unit)))
    }

    /// `[version, scope, name, linkage name, file, line, type, scope line, containing type, special flags, virtual
    /// index, flags, unit, template parameters, declaration, retained nodes, …]`; before LLVM 8 there were truth
    /// values in the place of the special flags.
    fn subprogram(&mut self, mut operands: Operands<'_>) -> Node {
        let version = operands.take()?;
        let (has_special_flags, has_unit) = (version & 4 != 0, version & 2 != 0);
        let length = operands.len() + 1;
        let scope = self.reference(&mut operands)?;
        let name = self.reference(&mut operands)?;
        let linkage_name = self.reference(&mut operands)?;
        let file = self.reference(&mut operands)?;
        let line = operands.take_truncated()?;
        let ty = self.reference(&mut operands)?;
        let (local, definition, optimized, scope_line, flags);
        if has_special_flags {
            scope_line = operands.take_truncated()?;
            operands.take()?;
            let special = operands.take()?;
            (local, definition, optimized) = (special & 4 != 0, special & 8 != 0, special & 16 != 0);
            operands.take()?;
            flags = operands.take_truncated()?;
        } else {
            (local, definition) = (operands.flag()?, operands.flag()?);
            scope_line = operands.take_truncated()?;
            operands.take_many(3)?;
            flags = operands.take_truncated()?;
            optimized = operands.flag()?;
        }
        let mut unit = None;
        if has_special_flags || length >= 19 {
            unit = self.reference(&mut operands)?.filter(|_| has_unit);
        }
        let template_parameters = self.reference(&mut operands)?;
        let declaration = self.reference(&mut operands)?;
        let retained_nodes = self.reference(&mut operands)?;
        Ok(Metadata::Subprogram(Box::new(Subprogram {
            scope,
            name,
            linkage_name,
            file,
            line,
            scope_line,
            ty,
            local,
            definition,
            optimized,
            flags,
            unit,
            template_parameters,
            declaration,
            retained_nodes,
        })))
    }

    /// `[distinct, scope, file, line, column]`
    fn lexical_block(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let (scope, file) = (self.reference(&mut operands)?, self.reference(&mut operands)?);
        let (line, column) = (operands.take_truncated()?, operands.take_truncated()?);
        Ok(Metadata::LexicalBlock(Box::new(LexicalBlock { scope, file, line, column })))
    }

    /// `[distinct, scope, file, discriminator]`
    fn lexical_block_file(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let (scope, file) = (self.reference(&mut operands)?, self.reference(&mut operands)?);
        let discriminator = operands.take_truncated()?;
        Ok(Metadata::LexicalBlockFile(Box::new(LexicalBlockFile { scope, file, discriminator })))
    }

    /// `[distinct | export symbols, scope, name]`; old ones have a file before and a line after the name.
    fn namespace(&mut self, mut operands: Operands<'_>) -> Node {
        let flags = operands.take()?;
        let scope = self.reference(&mut operands)?;
        if operands.len() == 3 {
            operands.take()?;
        }
        let name = self.reference(&mut operands)?;
        Ok(Metadata::Namespace(Box::new(Namespace { scope, name, export_symbols: flags & 2 != 0 })))
    }

    /// `[distinct | has alignment, scope, name, file, line, type, argument, flags, …]`; old ones have a tag first.
    fn local_variable(&mut self, mut operands: Operands<'_>) -> Node {
        let version = operands.take()?;
        if version & 2 == 0 && operands.len() + 1 > 8 {
            operands.take()?;
        }
        let scope = self.reference(&mut operands)?;
        let name = self.reference(&mut operands)?;
        let file = self.reference(&mut operands)?;
        let line = operands.take_truncated()?;
        let ty = self.reference(&mut operands)?;
        let argument = operands.take_truncated()?;
        let flags = operands.take_truncated()?;
        Ok(Metadata::LocalVariable(Box::new(LocalVariable { scope, name, file, line, ty, argument, flags })))
    }

    /// `[distinct | version, scope, name, linkage name, file, line, type, local, definition, …]`
    fn global_variable_node(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let scope = self.reference(&mut operands)?;
        let name = self.reference(&mut operands)?;
        let linkage_name = self.reference(&mut operands)?;
        let file = self.reference(&mut operands)?;
        let line = operands.take_truncated()?;
        let ty = self.reference(&mut operands)?;
        let (local, definition) = (operands.flag()?, operands.flag()?);
        let node = GlobalVariableNode { scope, name, linkage_name, file, line, ty, local, definition };
        Ok(Metadata::GlobalVariable(Box::new(node)))
    }

    /// `[distinct, variable, expression]`
    fn global_variable_expression(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let (variable, expression) = (self.reference(&mut operands)?, self.reference(&mut operands)?);
        Ok(Metadata::GlobalVariableExpression { variable, expression })
    }

    /// `[distinct, scope, name, file, line, …]`
    fn label(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let scope = self.reference(&mut operands)?;
        let name = self.reference(&mut operands)?;
        let file = self.reference(&mut operands)?;
        let line = operands.take_truncated()?;
        Ok(Metadata::Label(Box::new(Label { scope, name, file, line })))
    }

    /// `[distinct | size is a node, tag, name, size, alignment, encoding, …]`
    fn basic_type(&mut self, mut operands: Operands<'_>) -> Node {
        let version = operands.take()?;
        let tag = operands.take_truncated()?;
        let name = self.reference(&mut operands)?;
        let size = operands.take()?;
        let size_in_bits = self.size(version & 2 != 0, size)?;
        operands.take()?;
        let encoding = operands.take_truncated()?;
        Ok(Metadata::BasicType(Box::new(BasicType { tag, name, size_in_bits, encoding })))
    }

    /// `[distinct | sizes are nodes, tag, name, file, line, scope, base type, size, alignment, offset, flags,
    /// extra data, …]`
    fn derived_type(&mut self, mut operands: Operands<'_>) -> Node {
        let version = operands.take()?;
        let tag = operands.take_truncated()?;
        let name = self.reference(&mut operands)?;
        let file = self.reference(&mut operands)?;
        let line = operands.take_truncated()?;
        let scope = self.reference(&mut operands)?;
        let base_type = self.reference(&mut operands)?;
        let (size, _alignment, offset) = (operands.take()?, operands.take()?, operands.take()?);
        let size_in_bits = self.size(version & 2 != 0, size)?;
        let offset_in_bits = self.size(version & 2 != 0, offset)?;
        let flags = operands.take_truncated()?;
        let extra_data = self.reference(&mut operands)?;
        Ok(Metadata::DerivedType(Box::new(DerivedType {
            tag,
            name,
            file,
            line,
            scope,
            base_type,
            size_in_bits,
            offset_in_bits,
            flags,
            extra_data,
        })))
    }

    /// `[distinct | … | sizes are nodes, tag, name, file, line, scope, base type, size, alignment, offset, flags,
    /// elements, runtime language, vtable holder, template parameters, identifier, discriminator, …]`
    fn composite_type(&mut self, mut operands: Operands<'_>) -> Node {
        let version = operands.take()?;
        let tag = operands.take_truncated()?;
        let name = self.reference(&mut operands)?;
        let file = self.reference(&mut operands)?;
        let line = operands.take_truncated()?;
        let scope = self.reference(&mut operands)?;
        let base_type = self.reference(&mut operands)?;
        let size = operands.take()?;
        let size_in_bits = self.size(version & 4 != 0, size)?;
        operands.take_many(2)?;
        let flags = operands.take_truncated()?;
        let elements = self.reference(&mut operands)?;
        operands.take_many(2)?;
        let template_parameters = self.reference(&mut operands)?;
        let identifier = self.reference(&mut operands)?;
        let discriminator = self.optional_reference(&mut operands)?;
        Ok(Metadata::CompositeType(Box::new(CompositeType {
            tag,
            name,
            file,
            line,
            scope,
            base_type,
            size_in_bits,
            flags,
            elements,
            template_parameters,
            identifier,
            discriminator,
        })))
    }

    /// `[distinct, flags, types, …]`
    fn subroutine_type(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let flags = operands.take_truncated()?;
        let types = self.reference(&mut operands)?;
        Ok(Metadata::SubroutineType(Box::new(SubroutineType { types, flags })))
    }

    /// `[distinct | version, count, lower bound, …]`: numbers at first, then nodes.
    fn subrange(&mut self, mut operands: Operands<'_>) -> Node {
        let version = operands.take()? >> 1;
        let (count, lower) = (operands.take()?, operands.take()?);
        let count = match version {
            0 => SubrangeBound::Constant(count as i64),
            _ => self.bound(count)?,
        };
        let lower = match version {
            0 | 1 => SubrangeBound::Constant(signed(lower)),
            _ => self.bound(lower)?,
        };
        Ok(Metadata::Subrange(Box::new(Subrange { count, lower })))
    }

    /// A bound given as a node: a constant, a variable, or an expression.
    fn bound(&mut self, number: u64) -> Result<SubrangeBound, Problem> {
        let Some(id) = self.metadata_or_none(number)? else { return Ok(SubrangeBound::Unknown) };
        if let Some(Metadata::Value(Value::Constant(constant))) = self.module.metadata.nodes.get(id) {
            match self.module.constants[*constant].kind {
                ConstantKind::Integer(value) => return Ok(SubrangeBound::Constant(value as i64)),
                ConstantKind::Null => return Ok(SubrangeBound::Constant(0)),
                _ => {}
            }
        }
        Ok(SubrangeBound::Node(id))
    }

    /// `[distinct | unsigned | wide, value or width, name, words…]`
    fn enumerator(&mut self, mut operands: Operands<'_>) -> Node {
        let flags = operands.take()?;
        let number = operands.take()?;
        let name = self.reference(&mut operands)?;
        let unsigned = flags & 2 != 0;
        let value = match (flags & 4 != 0, number) {
            (false, _) => signed(number),
            // Words are stored without the sign of a narrower value.
            (true, width @ 1..64) if !unsigned => signed(operands.or_zero()) << (64 - width) >> (64 - width),
            (true, _) => signed(operands.or_zero()),
        };
        Ok(Metadata::Enumerator(Box::new(Enumerator { name, value, unsigned })))
    }

    /// `[distinct, name, type, …]`
    fn template_type(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let (name, ty) = (self.reference(&mut operands)?, self.reference(&mut operands)?);
        Ok(Metadata::TemplateParameter(Box::new(TemplateParameter { name, ty, value: None })))
    }

    /// `[distinct, tag, name, type, is default?, value]`
    fn template_value(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take_many(2)?;
        let (name, ty) = (self.reference(&mut operands)?, self.reference(&mut operands)?);
        if operands.len() >= 2 {
            operands.take()?;
        }
        let value = self.reference(&mut operands)?;
        Ok(Metadata::TemplateParameter(Box::new(TemplateParameter { name, ty, value })))
    }

    /// `[distinct, tag, scope, entity, line, name, …]`
    fn imported_entity(&mut self, mut operands: Operands<'_>) -> Node {
        operands.take()?;
        let tag = operands.take_truncated()?;
        let (scope, entity) = (self.reference(&mut operands)?, self.reference(&mut operands)?);
        let line = operands.take_truncated()?;
        let name = self.reference(&mut operands)?;
        Ok(Metadata::ImportedEntity(Box::new(ImportedEntity { tag, scope, entity, name, line })))
    }
}

/// `[distinct | version, operations…]`
fn expression(mut operands: Operands<'_>) -> Node {
    operands.take()?;
    Ok(Metadata::Expression(operands.rest().into()))
}
