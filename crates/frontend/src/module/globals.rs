//! Global variables, functions, aliases and ifuncs, with what a linker must know of them.

use std::sync::Arc;

use super::{AttributeListId, ComdatId, ConstantId, FunctionBody, MetadataId, TypeId};

/// A global of any kind.
#[derive(Debug, Clone)]
pub struct Global {
    /// The symbol. Empty for globals without a name, of which there may be several.
    pub name: String,
    /// How it meets symbols of the same name in other modules.
    pub linkage: Linkage,
    /// Visibility in shared objects.
    pub visibility: Visibility,
    /// Whether its address matters.
    pub unnamed_address: UnnamedAddress,
    /// Set if each thread has its own copy.
    pub thread_local: Option<ThreadLocalMode>,
    /// Whether it is known to be defined in the same shared object.
    pub dso_local: bool,
    /// The type of what is at its address: of the variable, or the function type.
    pub value_type: TypeId,
    /// The type of its address: always a pointer.
    pub pointer_type: TypeId,
    /// Alignment in bytes, a power of two, if the file says one.
    pub alignment: Option<u64>,
    /// The section it must be placed in.
    pub section: Option<Arc<str>>,
    /// The comdat it belongs to.
    pub comdat: Option<ComdatId>,
    /// Its debug information: a `Subprogram` for functions, `GlobalVariableExpression`s for variables.
    pub debug: Vec<MetadataId>,
    /// What it is.
    pub kind: GlobalKind,
}

/// What a global is.
#[derive(Debug, Clone)]
pub enum GlobalKind {
    /// A variable.
    Variable(GlobalVariable),
    /// A function.
    Function(Box<Function>),
    /// Another name for an address.
    Alias(Alias),
    /// A function whose address is found at start by calling a resolver (its `target`).
    Ifunc(Alias),
}

impl Global {
    /// Whether this module only uses it: it is defined elsewhere.
    pub fn is_declaration(&self) -> bool {
        match &self.kind {
            GlobalKind::Variable(variable) => variable.initializer.is_none(),
            GlobalKind::Function(function) => function.body.is_none(),
            GlobalKind::Alias(_) | GlobalKind::Ifunc(_) => false,
        }
    }

    /// The function, if it is one.
    pub fn function(&self) -> Option<&Function> {
        match &self.kind {
            GlobalKind::Function(function) => Some(function),
            _ => None,
        }
    }
}

/// A global variable.
#[derive(Debug, Clone)]
pub struct GlobalVariable {
    /// Whether it is never written.
    pub constant: bool,
    /// Whether something outside may change it before the program starts.
    pub externally_initialized: bool,
    /// Its first contents, of the variable's `value_type`; `None` for declarations.
    pub initializer: Option<ConstantId>,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// LLVM's number of the calling convention; 0 is C's.
    pub calling_convention: u32,
    /// Attributes of the function, its result and its parameters.
    pub attributes: Option<AttributeListId>,
    /// The name of the garbage collector it was compiled for.
    pub garbage_collector: Option<Arc<str>>,
    /// The personality routine of exception handling.
    pub personality: Option<ConstantId>,
    /// Data before the entry point.
    pub prefix: Option<ConstantId>,
    /// Code before the prologue.
    pub prologue: Option<ConstantId>,
    /// What stands before the function for those who check its type: a list of numbers.
    pub signature: Option<MetadataId>,
    /// The code; `None` for declarations.
    pub body: Option<Box<FunctionBody>>,
}

/// An alias or ifunc.
#[derive(Debug, Clone)]
pub struct Alias {
    /// The address it stands for (of an ifunc: of its resolver).
    pub target: ConstantId,
}

/// How symbols of the same name meet at link time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// The one definition, or a reference to it.
    External,
    /// A copy for the optimiser; the real definition is elsewhere.
    AvailableExternally,
    /// Kept once if used.
    LinkOnceAny,
    /// The same, all definitions being equivalent.
    LinkOnceOdr,
    /// Kept once, replaced by a strong definition.
    WeakAny,
    /// The same, all definitions being equivalent.
    WeakOdr,
    /// Arrays of this name are concatenated.
    Appending,
    /// Visible in this module only.
    Internal,
    /// The same, and in no symbol table.
    Private,
    /// A reference that is null if nothing defines it.
    ExternalWeak,
    /// A C variable without initialiser, merged with others of its name.
    Common,
}

/// Visibility of a symbol in shared objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Visible.
    Default,
    /// Not visible outside.
    Hidden,
    /// Visible but not replaceable.
    Protected,
}

/// Whether the address of a global matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnnamedAddress {
    /// It does.
    Significant,
    /// Not in this module.
    LocallyInsignificant,
    /// Nowhere: equal globals may be merged.
    Insignificant,
}

/// Models of thread-local storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThreadLocalMode {
    /// Works everywhere.
    GeneralDynamic,
    /// Used only in this shared object.
    LocalDynamic,
    /// In objects loaded at start.
    InitialExec,
    /// In the executable.
    LocalExec,
}

/// A comdat.
#[derive(Debug, Clone)]
pub struct Comdat {
    /// Its name.
    pub name: String,
    /// Which of several is kept.
    pub selection: ComdatSelection,
}

/// Which of several comdats of one name a linker keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ComdatSelection {
    /// Any one.
    Any,
    /// Any one; they must be equal.
    ExactMatch,
    /// The largest.
    Largest,
    /// There must be only one.
    NoDeduplicate,
    /// Any one; they must be of one size.
    SameSize,
}
