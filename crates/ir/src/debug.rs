//! What the debug information says: files, lines, functions, variables and their C types.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::LocId;
use crate::ids::{DebugTypeId, FileId};

#[derive(Clone, Debug)]
pub struct DebugInfo {
    pub files: PrimaryMap<FileId, SourceFile>,
    /// Location 0 is `LocId::NOWHERE`.
    pub locs: PrimaryMap<LocId, Loc>,
    pub types: PrimaryMap<DebugTypeId, DebugType>,
    interned: FxHashMap<Loc, LocId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// As the compiler was given it.
    pub name: String,
    pub directory: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loc {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    /// The function whose text this is: of the inlined one where code was inlined.
    pub function: Box<str>,
    /// The call that was inlined here.
    pub inlined_at: Option<LocId>,
}

/// What is known of a function from its source.
#[derive(Clone, Debug, Default)]
pub struct FunctionDebug {
    /// As written in the source, without mangling.
    pub name: String,
    pub file: Option<FileId>,
    pub line: u32,
    pub result: Option<DebugTypeId>,
    /// One for each parameter in the source; a parameter may be several scalars, or one may be memory.
    pub params: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: String,
    pub ty: Option<DebugTypeId>,
    pub file: Option<FileId>,
    pub line: u32,
}

/// A C type. Sizes in bits, as in the debug information.
#[derive(Clone, Debug, PartialEq)]
pub enum DebugType {
    Void,
    Base {
        name: String,
        encoding: Encoding,
        bits: u64,
    },
    Pointer {
        target: Option<DebugTypeId>,
        bits: u64,
    },
    Array {
        element: Option<DebugTypeId>,
        counts: Vec<Option<u64>>,
        bits: u64,
    },
    Struct {
        name: String,
        members: Vec<Member>,
        bits: u64,
    },
    Union {
        name: String,
        members: Vec<Member>,
        bits: u64,
    },
    Enum {
        name: String,
        underlying: Option<DebugTypeId>,
        variants: Vec<(String, i128)>,
        bits: u64,
    },
    Typedef {
        name: String,
        target: Option<DebugTypeId>,
    },
    /// const, volatile, restrict and atomic: the type under them.
    Qualified {
        target: Option<DebugTypeId>,
    },
    Function {
        result: Option<DebugTypeId>,
        params: Vec<Option<DebugTypeId>>,
    },
    /// Named but not described here.
    Opaque {
        name: String,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub name: String,
    pub ty: Option<DebugTypeId>,
    pub offset_bits: u64,
    pub bits: u64,
    pub bit_field: bool,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Utf,
    Float,
    ComplexFloat,
    Other,
}

impl Default for DebugInfo {
    fn default() -> Self {
        Self::new()
    }
}

impl DebugInfo {
    pub fn new() -> Self {
        let mut files = PrimaryMap::new();
        let nowhere = files.push(SourceFile { name: String::new(), directory: String::new() });
        let mut locs = PrimaryMap::new();
        locs.push(Loc { file: nowhere, line: 0, column: 0, function: "".into(), inlined_at: None });
        DebugInfo { files, locs, types: PrimaryMap::new(), interned: FxHashMap::default() }
    }

    /// Whether values of a type may contain addresses.
    pub fn has_pointers(&self, ty: DebugTypeId) -> bool {
        let inner = |ty: &Option<DebugTypeId>| ty.is_none_or(|ty| self.has_pointers(ty));
        match &self.types[ty] {
            DebugType::Void | DebugType::Base { .. } | DebugType::Enum { .. } => false,
            DebugType::Typedef { target, .. } | DebugType::Qualified { target } => inner(target),
            DebugType::Array { element, .. } => inner(element),
            DebugType::Struct { members, .. } | DebugType::Union { members, .. } => {
                members.iter().any(|member| inner(&member.ty))
            }
            DebugType::Pointer { .. } | DebugType::Function { .. } | DebugType::Opaque { .. } => true,
        }
    }

    /// A type as C writes it, without qualifiers.
    pub fn type_name(&self, ty: DebugTypeId) -> String {
        let named = |target: &Option<DebugTypeId>| target.map_or("void".to_owned(), |target| self.type_name(target));
        let tagged =
            |keyword: &str, name: &str| format!("{keyword} {}", if name.is_empty() { "(unnamed)" } else { name });
        match &self.types[ty] {
            DebugType::Void => "void".to_owned(),
            DebugType::Base { name, .. } | DebugType::Typedef { name, .. } | DebugType::Opaque { name } => name.clone(),
            DebugType::Struct { name, .. } => tagged("struct", name),
            DebugType::Union { name, .. } => tagged("union", name),
            DebugType::Enum { name, .. } => tagged("enum", name),
            DebugType::Qualified { target } => named(target),
            DebugType::Pointer { target, .. } => match target.map(|target| &self.types[target]) {
                Some(DebugType::Function { result, params }) => {
                    let params: Vec<String> = params.iter().map(named).collect();
                    format!("{} (*)({})", named(result), params.join(", "))
                }
                _ => {
                    let target = named(target);
                    format!("{target}{}*", if target.ends_with('*') { "" } else { " " })
                }
            },
            DebugType::Array { element, counts, .. } => {
                let count = |count: &Option<u64>| count.map_or("[]".to_owned(), |count| format!("[{count}]"));
                format!("{}{}", named(element), counts.iter().map(count).collect::<String>())
            }
            DebugType::Function { result, params } => {
                let params: Vec<String> = params.iter().map(named).collect();
                format!("{}({})", named(result), params.join(", "))
            }
        }
    }

    /// The number of a location; equal locations share one.
    pub fn loc(&mut self, loc: Loc) -> LocId {
        if let Some(found) = self.interned.get(&loc) {
            return *found;
        }
        let id = self.locs.push(loc.clone());
        self.interned.insert(loc, id);
        id
    }
}
