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
    /// Compiled with optimisation: code of a line may have been moved, merged with that of others, or removed.
    pub optimised: bool,
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
        self.declared(Some(ty), String::new())
    }

    /// A declaration as C writes it, from the inside: what is declared stands in the middle of its type.
    fn declared(&self, ty: Option<DebugTypeId>, inner: String) -> String {
        let Some(ty) = ty.map(|ty| &self.types[ty]) else { return named("void", &inner) };
        let tagged =
            |keyword: &str, name: &str| format!("{keyword} {}", if name.is_empty() { "(unnamed)" } else { name });
        match ty {
            DebugType::Void => named("void", &inner),
            DebugType::Base { name, .. } | DebugType::Typedef { name, .. } | DebugType::Opaque { name } => {
                named(name, &inner)
            }
            DebugType::Struct { name, .. } => named(&tagged("struct", name), &inner),
            DebugType::Union { name, .. } => named(&tagged("union", name), &inner),
            DebugType::Enum { name, .. } => named(&tagged("enum", name), &inner),
            DebugType::Qualified { target } => self.declared(*target, inner),
            DebugType::Pointer { target, .. } => {
                let binds_less = target.is_some_and(|target| {
                    matches!(self.unqualified(target), DebugType::Array { .. } | DebugType::Function { .. })
                });
                self.declared(*target, if binds_less { format!("(*{inner})") } else { format!("*{inner}") })
            }
            DebugType::Array { element, counts, .. } => {
                let count = |count: &Option<u64>| count.map_or("[]".to_owned(), |count| format!("[{count}]"));
                self.declared(*element, format!("{inner}{}", counts.iter().map(count).collect::<String>()))
            }
            DebugType::Function { result, params } => {
                let params: Vec<String> = params.iter().map(|param| self.declared(*param, String::new())).collect();
                self.declared(*result, format!("{inner}({})", params.join(", ")))
            }
        }
    }

    /// A type without its qualifiers.
    fn unqualified(&self, ty: DebugTypeId) -> &DebugType {
        match &self.types[ty] {
            DebugType::Qualified { target: Some(target) } => self.unqualified(*target),
            other => other,
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

/// A name before what it declares. Brackets follow at once, all else behind a space.
fn named(name: &str, inner: &str) -> String {
    let is_apart = inner.starts_with('*') || inner.starts_with("(*");
    format!("{name}{}{inner}", if is_apart { " " } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_in_c() {
        let mut debug = DebugInfo::default();
        let base = DebugType::Base { name: "int".to_owned(), bits: 32, encoding: Encoding::Signed };
        let int = debug.types.push(base);
        let pointer = |debug: &mut DebugInfo, target| debug.types.push(DebugType::Pointer { target, bits: 64 });
        let array = |debug: &mut DebugInfo, element| {
            debug.types.push(DebugType::Array { element: Some(element), counts: vec![Some(2), Some(3)], bits: 192 })
        };
        let nowhere = pointer(&mut debug, None);
        let twice = pointer(&mut debug, Some(nowhere));
        let rows = array(&mut debug, int);
        let to_rows = pointer(&mut debug, Some(rows));
        let function =
            debug.types.push(DebugType::Function { result: Some(int), params: vec![Some(int), Some(twice)] });
        let to_function = pointer(&mut debug, Some(function));
        let table = array(&mut debug, to_function);
        let texts =
            ["void *", "void **", "int[2][3]", "int (*)[2][3]", "int (*)(int, void **)", "int (*[2][3])(int, void **)"];
        for (ty, text) in [nowhere, twice, rows, to_rows, to_function, table].into_iter().zip(texts) {
            assert_eq!(debug.type_name(ty), text);
        }
    }
}
