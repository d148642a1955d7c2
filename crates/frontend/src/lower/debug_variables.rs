//! Functions, parameters, locals and globals as the debug information tells them.

use symcrete_ir::Reg;
use symcrete_ir::debug::{FunctionDebug, Variable};

use super::function::FunctionLowering;
use super::{Lowering, UnitIndex};
use crate::module::{
    Call, DebugRecordKind, GlobalId, Instruction, InstructionKind, Metadata, MetadataId, Subprogram, Value,
};

/// No C function has more parameters.
const MOST_PARAMETERS: usize = 1024;

impl<'a> FunctionLowering<'_, 'a> {
    /// A call that only describes a variable, as LLVM wrote them before version 19.
    pub fn debug_call(&mut self, instruction: &Instruction, call: &Call) {
        let Some(kind) = self.unit.module.debug_record_of_call(call) else { return };
        let location = instruction.location.expand().map(|id| &self.source.locations[id]);
        let inlined = location.is_some_and(|location| location.inlined_at.is_some());
        self.note_variable(kind, inlined);
    }

    /// Names the allocas and parameters that debug records and earlier calls described.
    pub fn record_locals(&mut self) {
        let module = self.unit.module;
        for record in &self.source.debug_records {
            let inlined = match &module.metadata.nodes[record.location] {
                Metadata::Location(location) => location.inlined_at.is_some(),
                _ => false,
            };
            self.note_variable(record.kind, inlined);
        }
        let mut locals = std::mem::take(&mut self.declared);
        locals.sort_by_key(|local| local.0);
        locals.dedup_by_key(|local| local.0);
        for (reg, variable) in locals {
            if let Some(variable) = self.lowering.local_variable(self.unit_index, variable) {
                self.body.locals.push((reg, variable));
            }
        }
    }

    fn note_variable(&mut self, kind: DebugRecordKind, inlined: bool) {
        let (variable, address) = match kind {
            DebugRecordKind::Declare { variable, expression, address } => {
                let plain =
                    matches!(&self.unit.module.metadata.nodes[expression], Metadata::Expression(it) if it.is_empty());
                (variable, address.filter(|_| plain))
            }
            DebugRecordKind::Value { variable, .. } | DebugRecordKind::Assign { variable, .. } => (variable, None),
            DebugRecordKind::Label { .. } => return,
        };
        if !inlined {
            self.described.push(variable);
        }
        if let Some(reg) = address.and_then(|address| self.alloca_register(address)) {
            self.declared.push((reg, variable));
        }
    }

    /// The register of the alloca that makes this value.
    fn alloca_register(&self, address: Value) -> Option<Reg> {
        let Value::Result(result) = address else { return None };
        let maker = &self.source.instructions[self.source.results[result]];
        match maker.kind {
            InstructionKind::Alloca { .. } => self.known_register(result),
            _ => None,
        }
    }

    /// What the debug information says of this function.
    pub fn function_debug(&mut self) -> Option<Box<FunctionDebug>> {
        let (id, subprogram) = self.subprogram()?;
        let (unit, metadata) = (self.unit_index, &self.unit.module.metadata);
        let types = match metadata.get(subprogram.ty) {
            Some(Metadata::SubroutineType(signature)) => metadata.elements(signature.types),
            _ => &[],
        };
        let result = types.first().copied().flatten().and_then(|ty| self.lowering.debug_type(unit, Some(ty)));
        let mut params: Vec<Variable> = Vec::new();
        for ty in types.iter().skip(1).take(MOST_PARAMETERS) {
            // A final null stands for the ellipsis.
            let Some(ty) = ty else { break };
            let ty = self.lowering.debug_type(unit, Some(*ty));
            params.push(Variable { name: String::new(), ty, file: None, line: 0 });
        }
        self.name_parameters(id, subprogram, &mut params);
        Some(Box::new(FunctionDebug {
            name: self.lowering.debug_name(unit, subprogram.name).to_owned(),
            file: self.lowering.optional_file(unit, subprogram.file),
            line: subprogram.line,
            optimised: subprogram.optimized,
            result,
            params,
        }))
    }

    fn subprogram(&self) -> Option<(MetadataId, &'a Subprogram)> {
        let module = self.unit.module;
        module.globals[self.global].debug.iter().find_map(|id| match &module.metadata.nodes[*id] {
            Metadata::Subprogram(subprogram) => Some((*id, &**subprogram)),
            _ => None,
        })
    }

    /// Parameters are variables of the function's own scope that carry a number.
    fn name_parameters(&mut self, id: MetadataId, subprogram: &Subprogram, params: &mut Vec<Variable>) {
        let metadata = &self.unit.module.metadata;
        let retained = metadata.elements(subprogram.retained_nodes).iter().flatten().copied();
        for variable in std::mem::take(&mut self.described).into_iter().chain(retained) {
            let Metadata::LocalVariable(node) = &metadata.nodes[variable] else { continue };
            let Some(at) = (node.argument as usize).checked_sub(1) else { continue };
            if node.scope != Some(id) || at >= MOST_PARAMETERS {
                continue;
            }
            let unknown = Variable { name: String::new(), ty: None, file: None, line: 0 };
            params.resize(params.len().max(at + 1), unknown);
            if params[at].name.is_empty()
                && let Some(variable) = self.lowering.local_variable(self.unit_index, variable)
            {
                params[at] = variable;
            }
        }
    }
}

impl Lowering<'_> {
    fn local_variable(&mut self, unit: UnitIndex, id: MetadataId) -> Option<Variable> {
        let Metadata::LocalVariable(node) = &self.units[unit].module.metadata.nodes[id] else { return None };
        Some(self.variable(unit, node.name, node.ty, node.file, node.line))
    }

    fn variable(
        &mut self,
        unit: UnitIndex,
        name: Option<MetadataId>,
        ty: Option<MetadataId>,
        file: Option<MetadataId>,
        line: u32,
    ) -> Variable {
        Variable {
            name: self.debug_name(unit, name).to_owned(),
            ty: self.debug_type(unit, ty),
            file: self.optional_file(unit, file),
            line,
        }
    }

    /// What the debug information says of a global variable.
    pub fn global_debug(&mut self, unit: UnitIndex, global: GlobalId) -> Option<Box<Variable>> {
        let module = self.units[unit].module;
        let nodes = &module.metadata.nodes;
        let node = module.globals[global].debug.iter().find_map(|id| match &nodes[*id] {
            Metadata::GlobalVariableExpression { variable: Some(variable), .. } => match &nodes[*variable] {
                Metadata::GlobalVariable(node) => Some(node),
                _ => None,
            },
            Metadata::GlobalVariable(node) => Some(node),
            _ => None,
        })?;
        Some(Box::new(self.variable(unit, node.name, node.ty, node.file, node.line)))
    }
}
