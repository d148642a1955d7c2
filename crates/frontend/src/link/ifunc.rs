//! Ifuncs: functions whose address a resolver chooses. Each becomes a small function that asks the resolver on every
//! call, which costs time but no machinery at start.

use symcrete_ir::{BlockData, Body, CallData, Callee, Constant, FuncId, Inst, LocId, Operand, Reg, Terminator, Type};

use crate::lower::{Lowering, Result, UnitIndex};
use crate::module::{GlobalId, GlobalKind};

impl Lowering<'_> {
    pub fn lower_ifunc(&mut self, function: FuncId, unit: UnitIndex, global: GlobalId) -> Result<()> {
        let GlobalKind::Ifunc(ifunc) = &self.units[unit].module.globals[global].kind else { return Ok(()) };
        let resolver = self.constant_scalar(unit, ifunc.target)?;
        let resolver = match resolver.as_const().map(|constant| &self.program.constants[constant]) {
            Some(Constant::Function(resolver)) => Callee::Direct(*resolver),
            _ => Callee::Indirect(resolver),
        };
        let target = &self.program.functions[function];
        let mut body = Body::default();
        let params: Vec<Reg> = target.params.iter().map(|param| body.registers.push(param.ty)).collect();
        let chosen = body.registers.push(Type::POINTER);
        let results: Vec<Reg> = target.results.iter().map(|ty| body.registers.push(*ty)).collect();
        let ask = body.calls.push(CallData {
            callee: resolver,
            args: Vec::new(),
            arg_types: Vec::new(),
            by_value: Vec::new(),
            results: vec![chosen],
            result_types: vec![Type::POINTER],
            fixed_args: 0,
            sign_extended: Vec::new(),
            sign_extended_result: false,
            must_tail: false,
        });
        let by_value = (0u32..).zip(&target.params).filter_map(|(at, param)| Some((at, param.by_value?, 16)));
        let forward = body.calls.push(CallData {
            callee: Callee::Indirect(chosen.into()),
            args: params.iter().map(|reg| Operand::from(*reg)).collect(),
            arg_types: target.params.iter().map(|param| param.ty).collect(),
            by_value: by_value.collect(),
            results: results.clone(),
            result_types: target.results.clone(),
            fixed_args: params.len() as u32,
            sign_extended: Vec::new(),
            sign_extended_result: false,
            // Variadic arguments go on to the function that was chosen.
            must_tail: target.variadic,
        });
        body.blocks.push(BlockData {
            params,
            insts: vec![Inst::Call { call: ask }, Inst::Call { call: forward }],
            locs: vec![LocId::NOWHERE; 2],
            terminator: Terminator::Return(results.into_iter().map(Operand::from).collect()),
            terminator_loc: LocId::NOWHERE,
        });
        self.program.functions[function].body = Some(body);
        Ok(())
    }
}
