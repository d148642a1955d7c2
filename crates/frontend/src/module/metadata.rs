//! Metadata: debug information and module flags. Nodes refer to each other by id, in cycles too: whoever walks them
//! must bound the walk.

use cranelift_entity::PrimaryMap;

use super::{MetadataId, Value};

/// All metadata of a module.
#[derive(Debug, Clone, Default)]
pub struct MetadataTable {
    /// Strings and nodes, of the module first, then of the functions.
    pub nodes: PrimaryMap<MetadataId, Metadata>,
    /// Named nodes, e.g. `llvm.dbg.cu` and `llvm.module.flags`.
    pub named: Vec<NamedMetadata>,
}

impl MetadataTable {
    /// The text of a string node; empty if there is none.
    pub fn text(&self, id: Option<MetadataId>) -> &str {
        match id.map(|id| &self.nodes[id]) {
            Some(Metadata::String(text)) => text,
            _ => "",
        }
    }

    /// The value that a node stands for: a value itself, or a list of them (as metadata). `None` for anything else,
    /// which is how debug information says that a value was optimised away.
    pub fn value(&self, id: MetadataId) -> Option<Value> {
        match &self.nodes[id] {
            Metadata::Value(value) => Some(*value),
            Metadata::ArgumentList(_) => Some(Value::Metadata(id)),
            _ => None,
        }
    }

    /// The node, if there is one.
    pub fn get(&self, id: Option<MetadataId>) -> Option<&Metadata> {
        id.map(|id| &self.nodes[id])
    }

    /// The elements of a node that is a plain list; empty if it is none.
    pub fn elements(&self, id: Option<MetadataId>) -> &[Option<MetadataId>] {
        match id.map(|id| &self.nodes[id]) {
            Some(Metadata::Node { elements, .. }) => elements,
            _ => &[],
        }
    }

    /// The operands of a named node; empty if there is none of that name.
    pub fn named(&self, name: &str) -> &[MetadataId] {
        let found = self.named.iter().find(|named| named.name == name);
        found.map_or(&[], |named| &named.operands)
    }
}

/// A named list of nodes.
#[derive(Debug, Clone)]
pub struct NamedMetadata {
    /// Its name.
    pub name: String,
    /// The nodes.
    pub operands: Box<[MetadataId]>,
}

/// A metadata node. Names are ids of `String` nodes (see [`MetadataTable::text`]); flags, tags and encodings are
/// those of DWARF and LLVM's `DIFlags`.
#[derive(Debug, Clone)]
pub enum Metadata {
    /// A text.
    String(Box<str>),
    /// A plain tuple.
    Node {
        /// Whether it is different from equal ones.
        distinct: bool,
        /// Its elements.
        elements: Box<[Option<MetadataId>]>,
    },
    /// A value of the program. Arguments and results mean those of the function that the node belongs to.
    Value(Value),
    /// `!DIArgList`: several values that an expression combines.
    ArgumentList(Box<[Value]>),
    /// `!DILocation`.
    Location(Box<Location>),
    /// `!DIFile`.
    File(Box<File>),
    /// `!DICompileUnit`.
    CompileUnit(Box<CompileUnit>),
    /// `!DISubprogram`: a function.
    Subprogram(Box<Subprogram>),
    /// `!DILexicalBlock`: a `{}` of the source.
    LexicalBlock(Box<LexicalBlock>),
    /// `!DILexicalBlockFile`: a change of file within a scope.
    LexicalBlockFile(Box<LexicalBlockFile>),
    /// `!DINamespace`.
    Namespace(Box<Namespace>),
    /// `!DILocalVariable`: a local or parameter.
    LocalVariable(Box<LocalVariable>),
    /// `!DIGlobalVariable`.
    GlobalVariable(Box<GlobalVariableNode>),
    /// `!DIGlobalVariableExpression`.
    GlobalVariableExpression {
        /// A `GlobalVariable`.
        variable: Option<MetadataId>,
        /// An `Expression`.
        expression: Option<MetadataId>,
    },
    /// `!DIExpression`: DWARF operations and their operands.
    Expression(Box<[u64]>),
    /// `!DILabel`.
    Label(Box<Label>),
    /// `!DIBasicType`.
    BasicType(Box<BasicType>),
    /// `!DIDerivedType`: pointer, typedef, const, member and so on.
    DerivedType(Box<DerivedType>),
    /// `!DICompositeType`: struct, union, enum, array.
    CompositeType(Box<CompositeType>),
    /// `!DISubroutineType`.
    SubroutineType(Box<SubroutineType>),
    /// `!DISubrange`: the extent of an array.
    Subrange(Box<Subrange>),
    /// `!DIEnumerator`.
    Enumerator(Box<Enumerator>),
    /// `!DITemplateTypeParameter` and `!DITemplateValueParameter`.
    TemplateParameter(Box<TemplateParameter>),
    /// `!DIImportedEntity`: a using declaration.
    ImportedEntity(Box<ImportedEntity>),
    /// A node of a kind that is not decoded: the number of its record.
    Other(u32),
}

/// `!DILocation`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Line, 0 if none.
    pub line: u32,
    /// Column, 0 if unknown.
    pub column: u32,
    /// Subprogram or lexical block.
    pub scope: Option<MetadataId>,
    /// The location of the call that was inlined.
    pub inlined_at: Option<MetadataId>,
    /// Whether the compiler made the code up.
    pub implicit: bool,
}

/// `!DIFile`.
#[derive(Debug, Clone)]
pub struct File {
    /// Name, absolute or relative to the directory.
    pub name: Option<MetadataId>,
    /// Directory.
    pub directory: Option<MetadataId>,
}

/// `!DICompileUnit`.
#[derive(Debug, Clone)]
pub struct CompileUnit {
    /// `DW_LANG_*`.
    pub language: u32,
    /// The main file.
    pub file: Option<MetadataId>,
    /// Text that names the compiler.
    pub producer: Option<MetadataId>,
    /// Whether it was optimised.
    pub optimized: bool,
    /// List of enumeration types.
    pub enums: Option<MetadataId>,
    /// List of types to keep though unused.
    pub retained_types: Option<MetadataId>,
    /// List of `GlobalVariableExpression`s.
    pub globals: Option<MetadataId>,
    /// List of imported entities.
    pub imported: Option<MetadataId>,
}

/// `!DISubprogram`.
#[derive(Debug, Clone)]
pub struct Subprogram {
    /// Namespace, type, file or unit around it.
    pub scope: Option<MetadataId>,
    /// Name in the source.
    pub name: Option<MetadataId>,
    /// Mangled name.
    pub linkage_name: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Line of the name.
    pub line: u32,
    /// Line of the opening brace.
    pub scope_line: u32,
    /// A `SubroutineType`.
    pub ty: Option<MetadataId>,
    /// Whether it is local to its unit.
    pub local: bool,
    /// Whether it is a definition.
    pub definition: bool,
    /// Whether it was optimised.
    pub optimized: bool,
    /// `DIFlags`.
    pub flags: u32,
    /// A `CompileUnit`, of definitions.
    pub unit: Option<MetadataId>,
    /// List of template parameters.
    pub template_parameters: Option<MetadataId>,
    /// The declaration, of a definition that has one.
    pub declaration: Option<MetadataId>,
    /// List of variables, labels and more to keep.
    pub retained_nodes: Option<MetadataId>,
}

/// `!DILexicalBlock`.
#[derive(Debug, Clone)]
pub struct LexicalBlock {
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// `!DILexicalBlockFile`.
#[derive(Debug, Clone)]
pub struct LexicalBlockFile {
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Tells apart copies of one line.
    pub discriminator: u32,
}

/// `!DINamespace`.
#[derive(Debug, Clone)]
pub struct Namespace {
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// Name; none for an anonymous one.
    pub name: Option<MetadataId>,
    /// Whether its names are visible in the scope around it.
    pub export_symbols: bool,
}

/// `!DILocalVariable`.
#[derive(Debug, Clone)]
pub struct LocalVariable {
    /// Subprogram or lexical block.
    pub scope: Option<MetadataId>,
    /// Name.
    pub name: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Line.
    pub line: u32,
    /// Type.
    pub ty: Option<MetadataId>,
    /// The number of the parameter from 1; 0 for locals.
    pub argument: u32,
    /// `DIFlags`.
    pub flags: u32,
}

/// `!DIGlobalVariable`.
#[derive(Debug, Clone)]
pub struct GlobalVariableNode {
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// Name.
    pub name: Option<MetadataId>,
    /// Mangled name.
    pub linkage_name: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Line.
    pub line: u32,
    /// Type.
    pub ty: Option<MetadataId>,
    /// Whether it is local to its unit.
    pub local: bool,
    /// Whether it is a definition.
    pub definition: bool,
}

/// `!DILabel`.
#[derive(Debug, Clone)]
pub struct Label {
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// Name.
    pub name: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Line.
    pub line: u32,
}

/// `!DIBasicType`.
#[derive(Debug, Clone)]
pub struct BasicType {
    /// `DW_TAG_base_type` or `DW_TAG_unspecified_type`.
    pub tag: u32,
    /// Name, e.g. `unsigned int`.
    pub name: Option<MetadataId>,
    /// Size.
    pub size_in_bits: u64,
    /// `DW_ATE_*`.
    pub encoding: u32,
}

/// `!DIDerivedType`.
#[derive(Debug, Clone)]
pub struct DerivedType {
    /// `DW_TAG_pointer_type`, `DW_TAG_typedef`, `DW_TAG_member`, …
    pub tag: u32,
    /// Name.
    pub name: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Line.
    pub line: u32,
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// What it derives from; none is `void`.
    pub base_type: Option<MetadataId>,
    /// Size.
    pub size_in_bits: u64,
    /// Offset of a member in its structure.
    pub offset_in_bits: u64,
    /// `DIFlags` (bit field, artificial, static member, …).
    pub flags: u32,
    /// For a bit field the storage offset, for others a constant or node: a `Value` or node.
    pub extra_data: Option<MetadataId>,
}

/// `!DICompositeType`.
#[derive(Debug, Clone)]
pub struct CompositeType {
    /// `DW_TAG_structure_type`, `DW_TAG_array_type`, …
    pub tag: u32,
    /// Name.
    pub name: Option<MetadataId>,
    /// File.
    pub file: Option<MetadataId>,
    /// Line.
    pub line: u32,
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// Element type of arrays, underlying type of enums.
    pub base_type: Option<MetadataId>,
    /// Size.
    pub size_in_bits: u64,
    /// `DIFlags` (vector, forward declaration, …).
    pub flags: u32,
    /// List of members, enumerators or subranges.
    pub elements: Option<MetadataId>,
    /// List of template parameters.
    pub template_parameters: Option<MetadataId>,
    /// Unique name of C++ types.
    pub identifier: Option<MetadataId>,
    /// The member that tells the variants of a Rust enum apart.
    pub discriminator: Option<MetadataId>,
}

/// `!DISubroutineType`.
#[derive(Debug, Clone)]
pub struct SubroutineType {
    /// List of types: the result (none for `void`), then the parameters.
    pub types: Option<MetadataId>,
    /// `DIFlags`.
    pub flags: u32,
}

/// `!DISubrange`.
#[derive(Debug, Clone)]
pub struct Subrange {
    /// Number of elements.
    pub count: SubrangeBound,
    /// First index.
    pub lower: SubrangeBound,
}

/// A number in a subrange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubrangeBound {
    /// Not said.
    Unknown,
    /// A constant; -1 as a count means unknown.
    Constant(i64),
    /// A variable or expression that computes it.
    Node(MetadataId),
}

/// `!DIEnumerator`.
#[derive(Debug, Clone)]
pub struct Enumerator {
    /// Name.
    pub name: Option<MetadataId>,
    /// Its value; wider ones are cut to 64 bits.
    pub value: i64,
    /// Whether the value is unsigned.
    pub unsigned: bool,
}

/// `!DITemplateTypeParameter` and `!DITemplateValueParameter`.
#[derive(Debug, Clone)]
pub struct TemplateParameter {
    /// Name.
    pub name: Option<MetadataId>,
    /// Type.
    pub ty: Option<MetadataId>,
    /// The value, of value parameters.
    pub value: Option<MetadataId>,
}

/// `!DIImportedEntity`.
#[derive(Debug, Clone)]
pub struct ImportedEntity {
    /// `DW_TAG_imported_module` or `DW_TAG_imported_declaration`.
    pub tag: u32,
    /// The scope around it.
    pub scope: Option<MetadataId>,
    /// What is imported.
    pub entity: Option<MetadataId>,
    /// Name.
    pub name: Option<MetadataId>,
    /// Line.
    pub line: u32,
}
