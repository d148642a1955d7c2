//! The types of a module and their interning. Sizes and offsets are not computed here: they depend on the data layout.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::TypeId;

/// A type. Typed pointers of old files have become plain pointers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// The type of basic blocks.
    Label,
    /// The type of metadata passed to intrinsics.
    Metadata,
    /// A token, which ties instructions together.
    Token,
    /// The MMX register type of old x86 code.
    X86Mmx,
    /// The AMX tile type of x86.
    X86Amx,
    /// An integer of 1 to 2^23 bits.
    Integer {
        /// Number of bits.
        width: u32,
    },
    /// A floating-point number.
    Float(FloatKind),
    /// A pointer.
    Pointer {
        /// 0 on all targets that compile C in the usual way.
        address_space: u32,
    },
    /// An array.
    Array {
        /// Type of the elements.
        element: TypeId,
        /// Number of elements, unchecked: sizes may overflow.
        length: u64,
    },
    /// A vector of integers, floats or pointers; the length is at least one.
    Vector {
        /// Type of the elements: an integer, float or pointer.
        element: TypeId,
        /// Number of elements.
        length: u32,
    },
    /// A structure.
    Struct(StructType),
    /// A function.
    Function(FunctionType),
    /// A type known only to a target.
    TargetExtension {
        /// Its name, e.g. `spirv.Image`.
        name: String,
        /// Type parameters.
        types: Box<[TypeId]>,
        /// Integer parameters.
        integers: Box<[u32]>,
    },
}

/// The floating-point formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// IEEE 16 bits.
    Half,
    /// The upper half of an IEEE 32-bit float.
    BFloat,
    /// IEEE 32 bits.
    Float,
    /// IEEE 64 bits.
    Double,
    /// The x87 80-bit format.
    X86Fp80,
    /// IEEE 128 bits.
    Fp128,
    /// Two doubles whose sum is the value.
    PpcFp128,
}

impl FloatKind {
    /// Number of bits of the format.
    pub fn width(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
        }
    }
}

/// A structure type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StructType {
    /// `struct.point`; literal structures have no name. Structures of different names are different types.
    pub name: Option<String>,
    /// Whether the fields follow each other without padding.
    pub packed: bool,
    /// Whether the fields are unknown: such a type has no size.
    pub opaque: bool,
    /// Types of the fields.
    pub fields: Box<[TypeId]>,
}

/// A function type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// Whether more arguments may follow the parameters.
    pub variadic: bool,
    /// What it returns, `Void` for nothing.
    pub result: TypeId,
    /// Types of the parameters.
    pub parameters: Box<[TypeId]>,
}

impl Type {
    /// Whether this is an integer, float or pointer: what a register or a vector element holds.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Integer { .. } | Type::Float(_) | Type::Pointer { .. })
    }

    /// Whether values of this type can be computed, passed and (if sized) stored.
    pub fn is_first_class(&self) -> bool {
        !matches!(self, Type::Void | Type::Function(_))
    }

    /// Whether this is an array or a structure.
    pub fn is_aggregate(&self) -> bool {
        matches!(self, Type::Array { .. } | Type::Struct(_))
    }
}

/// All types of a module, each kept once. What a type is made of always comes before it.
#[derive(Debug, Clone)]
pub struct TypeTable {
    types: PrimaryMap<TypeId, Type>,
    facts: PrimaryMap<TypeId, TypeFacts>,
    interned: FxHashMap<Type, TypeId>,
}

/// What is known of a type from its parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TypeFacts {
    /// Whether values of it have a size: not of void, functions, opaque structures and what contains them.
    pub sized: bool,
    /// How deeply it nests.
    pub nesting: u32,
    /// How many parts it has, every array counting as one element.
    pub parts: u64,
}

impl Default for TypeTable {
    fn default() -> Self {
        let mut table =
            TypeTable { types: PrimaryMap::new(), facts: PrimaryMap::new(), interned: FxHashMap::default() };
        // `void_type` and `metadata_type` know these two places.
        table.intern(Type::Void);
        table.intern(Type::Metadata);
        table
    }
}

impl TypeTable {
    /// The id of a type, which is added if it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let id = self.push(ty.clone());
        self.interned.insert(ty, id);
        id
    }

    /// Adds a structure that is different from all others, even if one of the same name and fields exists.
    pub fn add_distinct(&mut self, structure: StructType) -> TypeId {
        self.push(Type::Struct(structure))
    }

    fn push(&mut self, ty: Type) -> TypeId {
        self.facts.push(self.facts_of(&ty));
        self.types.push(ty)
    }

    fn facts_of(&self, ty: &Type) -> TypeFacts {
        let mut facts = TypeFacts { sized: true, nesting: 1, parts: 1 };
        let mut add = |part: TypeId| {
            let part = self.facts[part];
            facts.sized &= part.sized;
            facts.nesting = facts.nesting.max(part.nesting.saturating_add(1));
            facts.parts = facts.parts.saturating_add(part.parts);
        };
        match ty {
            Type::Array { element, .. } | Type::Vector { element, .. } => add(*element),
            Type::Struct(structure) => structure.fields.iter().for_each(|field| add(*field)),
            Type::Function(function) => {
                add(function.result);
                function.parameters.iter().for_each(|parameter| add(*parameter));
            }
            Type::TargetExtension { types, .. } => types.iter().for_each(|part| add(*part)),
            _ => {}
        }
        facts.sized &= match ty {
            Type::Void | Type::Label | Type::Metadata | Type::Token | Type::Function(_) => false,
            Type::TargetExtension { .. } => false,
            Type::Struct(structure) => !structure.opaque,
            _ => true,
        };
        facts
    }

    pub(crate) fn facts(&self, id: TypeId) -> TypeFacts {
        self.facts[id]
    }

    /// Whether values of the type have a size: not of void, functions, opaque structures and what contains them.
    pub fn is_sized(&self, id: TypeId) -> bool {
        self.facts[id].sized
    }

    /// The id of a type that is already there.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.interned.get(ty).copied()
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there are no types; never true, since `void` is always there.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// All types in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter()
    }

    /// The type `void`.
    pub fn void_type(&self) -> TypeId {
        TypeId(0)
    }

    /// The type `metadata`.
    pub fn metadata_type(&self) -> TypeId {
        TypeId(1)
    }

    /// The element type and length if this is a vector.
    pub fn vector(&self, id: TypeId) -> Option<(TypeId, u32)> {
        match self[id] {
            Type::Vector { element, length } => Some((element, length)),
            _ => None,
        }
    }

    /// The element type of a vector, and any other type itself.
    pub fn scalar_of(&self, id: TypeId) -> TypeId {
        self.vector(id).map_or(id, |(element, _)| element)
    }

    /// The function type, if it is one.
    pub fn function(&self, id: TypeId) -> Option<&FunctionType> {
        match &self[id] {
            Type::Function(function) => Some(function),
            _ => None,
        }
    }
}

impl std::ops::Index<TypeId> for TypeTable {
    type Output = Type;

    fn index(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
}
