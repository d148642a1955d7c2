//! Functions that run before and after `main`: `llvm.global_ctors` and `llvm.global_dtors` of all modules.

use symcrete_ir::{Constant, FuncId};

use crate::lower::{Lowering, Result, UnitIndex, malformed};
use crate::module::{ConstantId, ConstantKind, GlobalKind};

/// Which of the two lists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum When {
    Before,
    After,
}

impl Lowering<'_> {
    /// The functions of the program's own modules, in the order in which they run. The runtime starts itself.
    pub fn structors(&mut self, when: When) -> std::result::Result<Vec<FuncId>, (UnitIndex, crate::lower::Problem)> {
        let mut found = Vec::new();
        for unit in 0..self.units.len() {
            if !self.units[unit].runtime {
                self.structors_of(unit, when, &mut found).map_err(|problem| (unit, problem))?;
            }
        }
        // Equal priorities keep the order of the files.
        found.sort_by_key(|entry| entry.0);
        // What was set up last is torn down first.
        if when == When::After {
            found.reverse();
        }
        Ok(found.into_iter().map(|entry| entry.1).collect())
    }

    fn structors_of(&mut self, unit: UnitIndex, when: When, found: &mut Vec<(u64, FuncId)>) -> Result<()> {
        let module = self.units[unit].module;
        let name = if when == When::Before { "llvm.global_ctors" } else { "llvm.global_dtors" };
        for global in module.globals.values().filter(|global| global.name == name) {
            let GlobalKind::Variable(variable) = &global.kind else { continue };
            let Some(list) = variable.initializer else { continue };
            for entry in parts(&module.constants[list].kind) {
                if let Some(entry) = self.structor(unit, *entry)? {
                    found.push(entry);
                }
            }
        }
        Ok(())
    }

    /// Priority and function of one entry; null entries are gaps.
    fn structor(&mut self, unit: UnitIndex, entry: ConstantId) -> Result<Option<(u64, FuncId)>> {
        let module = self.units[unit].module;
        let [priority, function, ..] = parts(&module.constants[entry].kind) else { return Ok(None) };
        let priority = match module.constants[*priority].kind {
            ConstantKind::Integer(priority) => priority,
            _ => 0,
        };
        let function = self.constant_scalar(unit, *function)?.as_const();
        match function.map(|constant| &self.program.constants[constant]) {
            Some(Constant::Function(function)) => Ok(Some((priority, *function))),
            Some(Constant::Word { .. } | Constant::Undefined { .. }) => Ok(None),
            _ => Err(malformed("a constructor that is no function")),
        }
    }
}

fn parts(kind: &ConstantKind) -> &[ConstantId] {
    match kind {
        ConstantKind::Aggregate(parts) => parts,
        _ => &[],
    }
}
