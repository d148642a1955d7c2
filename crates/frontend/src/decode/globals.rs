//! Global variables, functions, aliases and ifuncs.

use std::sync::Arc;

use llvm_bitcode::schema::blocks::ModuleCode;

use crate::module::{
    Alias, ComdatId, Constant, ConstantId, ConstantKind, Function, Global, GlobalId, GlobalKind, GlobalVariable,
    Linkage, ThreadLocalMode, Type, TypeId, UnnamedAddress, Visibility,
};

use super::Problem;
use super::module_block::ModuleDecoder;
use super::operands::{alignment, to_u32};

/// Constants that a global refers to by numbers of the file, some of which come later.
pub(super) struct PendingOperands {
    global: GlobalId,
    /// The initialiser, or what an alias stands for.
    contents: Option<u64>,
    personality: Option<u64>,
    prefix: Option<u64>,
    prologue: Option<u64>,
}

impl PendingOperands {
    fn contents(global: GlobalId, contents: Option<u64>) -> Self {
        PendingOperands { global, contents, personality: None, prefix: None, prologue: None }
    }
}

impl ModuleDecoder<'_> {
    /// `[type, constant | explicit type | address space, initialiser, linkage, alignment, section, visibility,
    /// thread-local, unnamed address, externally initialised, dll, comdat, attributes, dso-local, …]`
    pub(super) fn read_global_variable(&mut self, values: &[u64]) -> Result<(), Problem> {
        let (name, mut operands) = self.take_name(values)?;
        let ty = operands.take()?;
        let flags = operands.take()?;
        let (value_type, pointer_type) = if flags & 2 != 0 {
            (self.type_at(ty)?, self.pointer_type(to_u32(flags >> 2)?))
        } else {
            (self.pointee_at(ty)?, self.type_at(ty)?)
        };
        if matches!(self.module.types[value_type], Type::Void | Type::Function(_) | Type::Label | Type::Metadata) {
            return Err(Problem::Invalid("a variable of a type that has no values in memory"));
        }
        let initializer = operands.take()?;
        let linkage = linkage(operands.take()?);
        let alignment = alignment(operands.take()?)?;
        let section = self.section(operands.take()?)?;
        let visibility = visibility(operands.or_zero(), linkage);
        let thread_local = thread_local(operands.or_zero())?;
        let unnamed_address = unnamed_address(operands.or_zero());
        let externally_initialized = operands.or_zero() != 0;
        let _dll_storage = operands.or_zero();
        let comdat = self.comdat(operands.or_zero())?;
        let _attributes = operands.or_zero();
        let dso_local = operands.or_zero() != 0 || is_implicitly_local(linkage, visibility);
        let kind = GlobalKind::Variable(GlobalVariable {
            constant: flags & 1 != 0,
            externally_initialized,
            initializer: None,
        });
        let global = self.add_global(Global {
            name,
            linkage,
            visibility,
            unnamed_address,
            thread_local,
            dso_local,
            value_type,
            pointer_type,
            alignment,
            section,
            comdat,
            debug: Vec::new(),
            kind,
        })?;
        if let Some(initializer) = initializer.checked_sub(1) {
            self.pending.push(PendingOperands::contents(global, Some(initializer)));
        }
        Ok(())
    }

    /// `[type, calling convention, is declaration, linkage, attributes, alignment, section, visibility, collector,
    /// unnamed address, prologue, dll, comdat, prefix, personality, dso-local, address space, …]`
    pub(super) fn read_function_header(&mut self, values: &[u64]) -> Result<(), Problem> {
        let (name, mut operands) = self.take_name(values)?;
        let ty = operands.take()?;
        // Old files name the pointer to the function type.
        let value_type = match self.file_type(ty)?.pointee {
            Some(_) => self.pointee_at(ty)?,
            None => self.type_at(ty)?,
        };
        if self.module.types.function(value_type).is_none() {
            return Err(Problem::Invalid("a function whose type is no function type"));
        }
        let calling_convention = operands.take_u32()?;
        let declaration = operands.flag()?;
        let linkage = linkage(operands.take()?);
        let attributes = self.attribute_list(operands.take()?)?;
        let alignment = alignment(operands.take()?)?;
        let section = self.section(operands.take()?)?;
        let visibility = visibility(operands.take()?, linkage);
        let garbage_collector = name_at(&self.collectors, operands.or_zero(), "garbage collector")?;
        let unnamed_address = unnamed_address(operands.or_zero());
        let prologue = operands.or_zero().checked_sub(1);
        let _dll_storage = operands.or_zero();
        let comdat = self.comdat(operands.or_zero())?;
        let prefix = operands.or_zero().checked_sub(1);
        let personality = operands.or_zero().checked_sub(1);
        let dso_local = operands.or_zero() != 0 || is_implicitly_local(linkage, visibility);
        let pointer_type = self.pointer_type(to_u32(operands.or_zero())?);
        let function = Function {
            calling_convention,
            attributes,
            garbage_collector,
            personality: None,
            prefix: None,
            prologue: None,
            signature: None,
            body: None,
        };
        let global = self.add_global(Global {
            name,
            linkage,
            visibility,
            unnamed_address,
            thread_local: None,
            dso_local,
            value_type,
            pointer_type,
            alignment,
            section,
            comdat,
            debug: Vec::new(),
            kind: GlobalKind::Function(Box::new(function)),
        })?;
        self.pending.push(PendingOperands { global, contents: None, personality, prefix, prologue });
        if !declaration {
            self.bodies.push_back(global);
        }
        Ok(())
    }

    /// `[type, address space, target, linkage, visibility, …]`; the old form has a pointer type and no address space.
    /// Then for aliases `[dll, thread-local, unnamed address]`, and for both `[dso-local, …]`.
    pub(super) fn read_alias(&mut self, code: ModuleCode, values: &[u64]) -> Result<(), Problem> {
        let (name, mut operands) = self.take_name(values)?;
        let ty = operands.take()?;
        #[allow(deprecated, reason = "old files have old records")]
        let old = code == ModuleCode::AliasOld;
        let (value_type, pointer_type) = if old {
            (self.pointee_at(ty)?, self.type_at(ty)?)
        } else {
            (self.type_at(ty)?, self.pointer_type(operands.take_u32()?))
        };
        let target = operands.take()?;
        let linkage = linkage(operands.take()?);
        let visibility = visibility(operands.or_zero(), linkage);
        let (mut thread_mode, mut unnamed) = (None, UnnamedAddress::Significant);
        if code != ModuleCode::Ifunc {
            let _dll_storage = operands.or_zero();
            thread_mode = thread_local(operands.or_zero())?;
            unnamed = unnamed_address(operands.or_zero());
        }
        let dso_local = operands.or_zero() != 0 || is_implicitly_local(linkage, visibility);
        // The target is set when all constants are known.
        let alias = Alias { target: ConstantId::from_u32(0) };
        let kind = if code == ModuleCode::Ifunc { GlobalKind::Ifunc(alias) } else { GlobalKind::Alias(alias) };
        let global = self.add_global(Global {
            name,
            linkage,
            visibility,
            unnamed_address: unnamed,
            thread_local: thread_mode,
            dso_local,
            value_type,
            pointer_type,
            alignment: None,
            section: None,
            comdat: None,
            debug: Vec::new(),
            kind,
        })?;
        self.pending.push(PendingOperands::contents(global, Some(target)));
        Ok(())
    }

    /// Adds a global, and its address as the next constant.
    fn add_global(&mut self, global: Global) -> Result<GlobalId, Problem> {
        if self.bodies_begun {
            return Err(Problem::Invalid("a global after function bodies"));
        }
        if !matches!(self.module.types[global.pointer_type], Type::Pointer { .. }) {
            return Err(Problem::Invalid("a global whose address is no pointer"));
        }
        let ty = global.pointer_type;
        let id = self.module.globals.push(global);
        self.module.constants.push(Constant { ty, kind: ConstantKind::Global(id) });
        Ok(id)
    }

    pub(super) fn pointer_type(&mut self, address_space: u32) -> TypeId {
        self.module.types.intern(Type::Pointer { address_space })
    }

    fn section(&self, number: u64) -> Result<Option<Arc<str>>, Problem> {
        name_at(&self.sections, number, "section")
    }

    fn comdat(&self, number: u64) -> Result<Option<ComdatId>, Problem> {
        let Some(index) = number.checked_sub(1) else { return Ok(None) };
        if index >= self.module.comdats.len() as u64 {
            return Err(Problem::NoSuch { what: "comdat", index: number });
        }
        Ok(Some(ComdatId::from_u32(to_u32(index)?)))
    }

    /// Fills in what globals refer to, now that all constants of the module are known.
    pub(super) fn finish_globals(&mut self) -> Result<(), Problem> {
        for pending in std::mem::take(&mut self.pending) {
            let find = |index: Option<u64>| index.map(|index| self.module_constant(index)).transpose();
            let contents = find(pending.contents)?;
            let (personality, prefix, prologue) =
                (find(pending.personality)?, find(pending.prefix)?, find(pending.prologue)?);
            let contents_type = contents.map(|contents| self.module.constants[contents].ty);
            let types = &self.module.types;
            let global = &mut self.module.globals[pending.global];
            match &mut global.kind {
                GlobalKind::Variable(variable) => {
                    if contents_type != Some(global.value_type) {
                        return Err(Problem::Invalid("a variable whose initialiser is of another type"));
                    }
                    if !types.is_sized(global.value_type) {
                        return Err(Problem::Invalid("a variable that has an initialiser but no size"));
                    }
                    variable.initializer = contents;
                }
                GlobalKind::Function(function) => {
                    function.personality = personality;
                    function.prefix = prefix;
                    function.prologue = prologue;
                }
                GlobalKind::Alias(alias) | GlobalKind::Ifunc(alias) => {
                    let pointer = contents_type.is_some_and(|ty| matches!(types[ty], Type::Pointer { .. }));
                    alias.target = contents.filter(|_| pointer).ok_or(Problem::Invalid("an alias of no address"))?;
                }
            }
        }
        Ok(())
    }
}

fn name_at(names: &[Arc<str>], number: u64, what: &'static str) -> Result<Option<Arc<str>>, Problem> {
    let Some(index) = number.checked_sub(1) else { return Ok(None) };
    let name = usize::try_from(index).ok().and_then(|index| names.get(index));
    name.cloned().map(Some).ok_or(Problem::NoSuch { what, index: number })
}

/// Linkages by number. Those that LLVM no longer has become what it reads them as.
fn linkage(number: u64) -> Linkage {
    match number {
        1 | 16 => Linkage::WeakAny,
        2 => Linkage::Appending,
        3 => Linkage::Internal,
        4 | 18 => Linkage::LinkOnceAny,
        7 => Linkage::ExternalWeak,
        8 => Linkage::Common,
        9 | 13 | 14 => Linkage::Private,
        10 | 17 => Linkage::WeakOdr,
        11 | 19 => Linkage::LinkOnceOdr,
        12 => Linkage::AvailableExternally,
        _ => Linkage::External,
    }
}

fn is_local(linkage: Linkage) -> bool {
    matches!(linkage, Linkage::Internal | Linkage::Private)
}

fn is_implicitly_local(linkage: Linkage, visibility: Visibility) -> bool {
    is_local(linkage) || (visibility != Visibility::Default && linkage != Linkage::ExternalWeak)
}

fn visibility(number: u64, linkage: Linkage) -> Visibility {
    match number {
        _ if is_local(linkage) => Visibility::Default,
        1 => Visibility::Hidden,
        2 => Visibility::Protected,
        _ => Visibility::Default,
    }
}

fn unnamed_address(number: u64) -> UnnamedAddress {
    match number {
        1 => UnnamedAddress::Insignificant,
        2 => UnnamedAddress::LocallyInsignificant,
        _ => UnnamedAddress::Significant,
    }
}

fn thread_local(number: u64) -> Result<Option<ThreadLocalMode>, Problem> {
    match number {
        0 => Ok(None),
        1 => Ok(Some(ThreadLocalMode::GeneralDynamic)),
        2 => Ok(Some(ThreadLocalMode::LocalDynamic)),
        3 => Ok(Some(ThreadLocalMode::InitialExec)),
        4 => Ok(Some(ThreadLocalMode::LocalExec)),
        _ => Err(Problem::Invalid("an unknown model of thread-local storage")),
    }
}
