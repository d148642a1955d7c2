//! Execution that pauses at calls, for those who decide what becomes of them.

use std::rc::Rc;

use cranelift_entity::EntitySet;
use symcrete_expr::{Expr, Value};
use symcrete_ir::{Block, Call, Callee, FuncId, convention};

use crate::{Executor, Outcome, State};

/// Where to pause beside what stops every run.
#[derive(Clone, Default)]
pub struct Pauses {
    /// Before calls of these functions.
    pub functions: Rc<EntitySet<FuncId>>,
    /// When a function returns to this activation.
    pub back_in: Option<u64>,
}

/// Why a run came back that pauses.
pub enum Pause {
    Outcome(Outcome),
    /// The path stands before a call of this function.
    Call(FuncId),
    /// The path is back in the activation that was named, behind a call.
    Back,
}

/// A call before which a path stands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    pub caller: FuncId,
    pub block: Block,
    pub instruction: u32,
    /// How many calls are under way.
    pub depth: u32,
}

impl Executor {
    /// Runs until something is to be decided, the path ends, the budget of instructions is used up, or one of these places is reached.
    pub fn run_pausing(&mut self, state: &mut State, budget: u64, pauses: &Pauses) -> Pause {
        self.run_until(state, budget, Some(pauses))
    }

    /// The function that a call is about to enter, if somebody wants to know of it.
    pub(crate) fn pauses_at(&self, state: &State, call: Call, pauses: &Pauses) -> Option<FuncId> {
        // What a call through a pointer finds with other types than the function's own is no result of the function, so such a call is followed.
        let data = &self.image.body(state.top.function).calls[call];
        let is_direct = matches!(data.callee, Callee::Direct(_));
        let is_clean =
            |function: &FuncId| is_direct || convention::agrees(data, &self.image.program.functions[*function]);
        self.callee(state, call).filter(|function| pauses.functions.contains(*function) && is_clean(function))
    }

    fn callee(&self, state: &State, call: Call) -> Option<FuncId> {
        match &self.image.body(state.top.function).calls[call].callee {
            Callee::Direct(function) => Some(*function),
            Callee::Indirect(target) => match self.image.value(&state.top, *target) {
                Value::Word(address) => self.image.function_at(address),
                _ => None,
            },
            Callee::Intrinsic(..) | Callee::Unsupported(_) => None,
        }
    }

    /// The function that a path is about to call, if it stands before a call.
    pub fn called(&self, state: &State) -> Option<FuncId> {
        self.callee(state, self.pending_call(state)?)
    }

    /// The path goes into the call before which it stands. What stops it there, if anything does: then it still stands before it.
    pub fn enter_call(&mut self, state: &mut State) -> Option<Outcome> {
        let call = self.pending_call(state)?;
        match self.call(state, call) {
            Ok(()) => {
                state.known.clear();
                state.memory.forbid_elastic();
                None
            }
            Err(stop) => self.fill(state, stop).err().map(Outcome::from),
        }
    }

    /// The path goes on behind the call before which it stands, with these results.
    pub fn skip_call(&mut self, state: &mut State, results: Vec<Expr>) {
        let Some(call) = self.pending_call(state) else { return };
        let results = results.into_iter().map(|expr| self.arena.as_word(expr).map_or(Value::Expr(expr), Value::Word));
        let results: Vec<Value> = results.collect();
        self.finish_call(state, call, results);
        state.known.clear();
    }

    /// Where a path stands that is about to call.
    pub fn call_site(&self, state: &State) -> Site {
        let (block, instruction) = state.top.position(&self.image);
        Site { caller: state.top.function, block, instruction, depth: state.depth() as u32 }
    }

    /// The innermost activation: no two of a path have the same number.
    pub fn activation(&self, state: &State) -> u64 {
        state.top.activation
    }

    /// The arguments of the call before which a path stands; `None` for those of which not all was written.
    pub fn call_arguments(&mut self, state: &State) -> Vec<Option<Expr>> {
        let Some(call) = self.pending_call(state) else { return Vec::new() };
        let body = self.image.body(state.top.function);
        let mut values = Vec::new();
        for arg in &body.calls[call].args {
            let ty = body.operand_type(*arg, &self.image.program.constants);
            values.push((u32::from(ty.bits(self.image.pointer_bits())), self.image.value(&state.top, *arg)));
        }
        values.iter().map(|(width, value)| value.is_defined().then(|| self.symbolic().expr(*width, value))).collect()
    }

    /// The widths of the results of the call before which a path stands.
    pub fn result_widths(&self, state: &State) -> Vec<u32> {
        let Some(call) = self.pending_call(state) else { return Vec::new() };
        let data = &self.image.body(state.top.function).calls[call];
        data.result_types.iter().map(|ty| u32::from(ty.bits(self.image.pointer_bits()))).collect()
    }

    /// What the call at a site gave, of a path that is back behind it; `None` for what nobody wrote.
    pub fn results(&mut self, state: &State, site: &Site) -> Vec<Option<Expr>> {
        let block = &self.image.body(site.caller).blocks[site.block];
        let call = match block.insts.get(site.instruction as usize) {
            Some(symcrete_ir::Inst::Call { call }) => *call,
            _ => match &block.terminator {
                symcrete_ir::Terminator::Invoke { call, .. } => *call,
                _ => return Vec::new(),
            },
        };
        let registers = self.image.body(site.caller).calls[call].results.to_vec();
        registers.into_iter().map(|register| self.register(state, register)).collect()
    }
}
