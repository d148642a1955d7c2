//! Conditions of the program's own that decide without a branch on them: `c ? 1 : 2` of simple values, and the last one of `return a && b`,
//! which becomes a number. Both of their sides are worth a test.

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_ir::{Body, FuncId, Inst, Operand, Program, Reg, Type};

/// The number of each such condition; the register that holds it names it.
#[derive(Default)]
pub struct Choices(FxHashMap<(FuncId, Reg), u32>);

impl Choices {
    pub fn new(program: &Program) -> Choices {
        let mut choices = FxHashMap::default();
        for (id, function) in program.functions.iter().filter(|(_, function)| !function.runtime) {
            let Some(body) = &function.body else { continue };
            let used = used_as_values(body);
            let computed = body.blocks.values().flat_map(|block| &block.insts).filter_map(Inst::dst);
            for condition in computed.filter(|register| used.contains(register)) {
                let number = choices.len() as u32;
                choices.insert((id, condition), number);
            }
        }
        Choices(choices)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn number(&self, function: FuncId, condition: Reg) -> Option<u32> {
        self.0.get(&(function, condition)).copied()
    }
}

/// Conditions that choose between values, become numbers, or are handed on to a block where several ways meet.
fn used_as_values(body: &Body) -> FxHashSet<Reg> {
    let mut used = FxHashSet::default();
    let mut add = |operand: Operand| {
        used.extend(operand.as_reg().filter(|register| body.registers[*register] == Type::BOOL));
    };
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        match inst {
            Inst::Select { condition, .. } => add(*condition),
            Inst::Cast { from: Type::BOOL, src, .. } => add(*src),
            _ => {}
        }
    }
    body.edges.values().flat_map(|edge| &edge.args).for_each(|arg| add(*arg));
    used
}
