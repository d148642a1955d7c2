//! The whole program: functions, globals, constants and debug information of all its modules, linked.

use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use crate::convention::Disagreement;
use crate::debug::DebugInfo;
use crate::{Const, Constant, FuncId, Function, GlobalId, Linkage, Type};

#[derive(Clone, Debug)]
pub struct Program {
    pub layout: Layout,
    pub functions: PrimaryMap<FuncId, Function>,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub constants: PrimaryMap<Const, Constant>,
    /// Functions to run before `main`, and after it, in the order in which they run.
    pub constructors: Vec<FuncId>,
    pub destructors: Vec<FuncId>,
    pub debug: DebugInfo,
    /// Functions that are called with other types than their own.
    pub disagreements: Vec<Disagreement>,
    interned: FxHashMap<Constant, Const>,
}

/// What the target machine fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub triple: String,
    pub pointer_bits: u16,
}

#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub linkage: Linkage,
    pub size: u64,
    pub align: u64,
    pub read_only: bool,
    pub thread_local: bool,
    /// `None`: defined nowhere in the program.
    pub initialiser: Option<Initialiser>,
    pub debug: Option<Box<crate::debug::Variable>>,
    pub runtime: bool,
}

/// The initial bytes of a global: those given, then zeros up to its size; then addresses and other constants written over them.
#[derive(Clone, Debug, Default)]
pub struct Initialiser {
    pub bytes: Vec<u8>,
    pub relocations: Vec<Relocation>,
}

#[derive(Clone, Debug)]
pub struct Relocation {
    pub offset: u64,
    pub constant: Const,
}

impl Program {
    pub fn new(layout: Layout) -> Self {
        Program {
            layout,
            functions: PrimaryMap::new(),
            globals: PrimaryMap::new(),
            constants: PrimaryMap::new(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            debug: DebugInfo::new(),
            disagreements: Vec::new(),
            interned: FxHashMap::default(),
        }
    }

    /// The number of a constant; equal constants share one.
    pub fn constant(&mut self, constant: Constant) -> Const {
        if let Some(found) = self.interned.get(&constant) {
            return *found;
        }
        let id = self.constants.push(constant.clone());
        self.interned.insert(constant, id);
        id
    }

    /// An integer, pointer or float of up to 64 bits.
    pub fn word(&mut self, ty: Type, bits: u64) -> Const {
        self.constant(Constant::Word { ty, bits })
    }

    /// The externally visible function of that name, or else the only internal one.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        let mut internal = self.functions.iter().filter(|(_, f)| f.name == name && f.linkage == Linkage::Internal);
        let external = self.functions.iter().find(|(_, f)| f.name == name && f.linkage == Linkage::External);
        match external {
            Some((id, _)) => Some(id),
            None => internal.next().map(|(id, _)| id),
        }
    }
}
