//! Which definition a name means: the linker's rules for strong, weak, common and available definitions, and for the
//! runtime, which serves like a static library.

use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;
use symcrete_ir as ir;

use super::Target;
use crate::Error;
use crate::lower::{Unit, UnitIndex};
use crate::module::{ComdatSelection, Global, GlobalId, GlobalKind, Linkage};

/// The names of the program.
pub(crate) struct Symbols<'a> {
    definitions: FxHashMap<&'a str, Definition>,
    /// What is used but defined nowhere.
    pub undefined: FxHashMap<String, Target>,
    /// From which definition a function was made.
    pub origins: SecondaryMap<ir::FuncId, Option<(UnitIndex, GlobalId)>>,
    /// How many aliases are being followed at the moment.
    pub aliases: u32,
}

/// The definition that a name means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Definition {
    pub unit: UnitIndex,
    pub global: GlobalId,
    strength: Strength,
    /// Of common symbols: what the largest of them needs.
    pub common: Option<(u64, u64)>,
}

/// Stronger definitions win. The program's own win over those of the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// A copy for the optimiser, used only if nothing else is there.
    Available,
    RuntimeWeak,
    RuntimeCommon,
    RuntimeStrong,
    Weak,
    Common,
    Strong,
}

impl<'a> Symbols<'a> {
    pub fn new(units: &'a [Unit<'a>]) -> Result<Symbols<'a>, Error> {
        let mut symbols = Symbols {
            definitions: FxHashMap::default(),
            undefined: FxHashMap::default(),
            origins: SecondaryMap::new(),
            aliases: 0,
        };
        for (index, unit) in units.iter().enumerate() {
            for (id, global) in unit.module.globals.iter() {
                if let Some(strength) = strength(global, unit.runtime) {
                    symbols.add(units, index, id, strength)?;
                }
            }
        }
        Ok(symbols)
    }

    fn add(&mut self, units: &'a [Unit<'a>], unit: UnitIndex, id: GlobalId, strength: Strength) -> Result<(), Error> {
        let global = &units[unit].module.globals[id];
        let is_common = matches!(strength, Strength::Common | Strength::RuntimeCommon);
        let common = if is_common { Some(common_size(&units[unit], global)) } else { None };
        let new = Definition { unit, global: id, strength, common };
        let Some(known) = self.definitions.get_mut(global.name.as_str()) else {
            self.definitions.insert(&global.name, new);
            return Ok(());
        };
        match (known.common, new.common) {
            (Some(one), Some(other)) if known.strength == strength => {
                let larger = if other.0 > one.0 { new } else { *known };
                *known = Definition { common: Some((one.0.max(other.0), one.1.max(other.1))), ..larger };
            }
            _ if strength > known.strength => *known = new,
            _ if strength == known.strength && matches!(strength, Strength::Strong | Strength::RuntimeStrong) => {
                let first = &units[known.unit];
                if !(share_comdat(first, known.global, &units[unit], id)) {
                    return Err(Error::SymbolClash {
                        symbol: global.name.clone(),
                        first: first.name.to_owned(),
                        second: units[unit].name.to_owned(),
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The definition of a name, if there is one.
    pub fn definition(&self, name: &str) -> Option<Definition> {
        self.definitions.get(name).copied()
    }
}

/// How strongly a global defines its name for other modules; `None` if it does not.
fn strength(global: &Global, runtime: bool) -> Option<Strength> {
    if global.name.is_empty() || global.name.starts_with("llvm.") || global.is_declaration() {
        return None;
    }
    let (strong, weak, common) = match runtime {
        true => (Strength::RuntimeStrong, Strength::RuntimeWeak, Strength::RuntimeCommon),
        false => (Strength::Strong, Strength::Weak, Strength::Common),
    };
    match global.linkage {
        Linkage::External => Some(strong),
        Linkage::LinkOnceAny | Linkage::LinkOnceOdr | Linkage::WeakAny | Linkage::WeakOdr => Some(weak),
        Linkage::Common => Some(common),
        Linkage::AvailableExternally => Some(Strength::Available),
        // An alias or function marked so is as weak as can be.
        Linkage::ExternalWeak => Some(weak),
        Linkage::Appending | Linkage::Internal | Linkage::Private => None,
    }
}

/// Size and alignment of a common variable.
fn common_size(unit: &Unit, global: &Global) -> (u64, u64) {
    let layout = match global.kind {
        GlobalKind::Variable(_) => unit.types.layout_if_sized(global.value_type),
        _ => None,
    };
    let (size, align) = layout.map_or((0, 1), |layout| (layout.size, layout.align));
    (size, global.alignment.unwrap_or(align))
}

/// Whether two definitions are copies of one thing, of which a linker keeps any one.
fn share_comdat(first: &Unit, one: GlobalId, second: &Unit, other: GlobalId) -> bool {
    let comdat = |unit: &Unit, id: GlobalId| {
        let comdat = &unit.module.comdats[unit.module.globals[id].comdat?];
        (comdat.selection != ComdatSelection::NoDeduplicate).then(|| comdat.name.clone())
    };
    match (comdat(first, one), comdat(second, other)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}
