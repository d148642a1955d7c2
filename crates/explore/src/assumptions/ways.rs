//! Whether ways lead from a place to a target, by the graph of blocks and calls; those behind a call that gave null as well.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::Image;
use symcrete_exec::coverage::Mark;
use symcrete_exec::external::Deed;
use symcrete_ir::inst::IntPredicate;
use symcrete_ir::{
    Block, Body, CallData, CallGraph, Callee, Constant, EdgeId, FuncId, Inst, Intrinsic, Operand, Reg, Terminator,
};

use super::block_of;
use crate::path::distance::{Distances, Place};

pub struct Ways<'a> {
    image: &'a Image,
    graph: &'a CallGraph,
    targets: FxHashSet<(FuncId, Block)>,
    distances: RefCell<Distances>,
    /// Whether ways lead on behind the calls of a function.
    behind: RefCell<FxHashMap<FuncId, bool>>,
}

/// Places that a walk looks at before it takes for granted that it comes to the target.
const MOST: usize = 2_000;
/// Offsets from null at which nothing is mapped.
const UNMAPPED: i32 = 4096;
/// Functions that access what their first argument points to.
const ACCESS: [&str; 8] = ["memset", "memcpy", "memmove", "strcpy", "strcat", "strlen", "sprintf", "strcmp"];

/// A place of a walk, and what is null there.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Step {
    function: FuncId,
    block: Block,
    instruction: u32,
    nulls: Vec<Reg>,
}

/// What is known within a block.
struct Known {
    nulls: Vec<Reg>,
    /// Addresses a little behind null.
    near: Vec<Reg>,
    conditions: Vec<(Reg, bool)>,
}

/// What happens in the rest of a block.
enum Rest {
    Arrives,
    /// Nothing comes to its end.
    Ends,
    Leaves(Known),
}

impl<'a> Ways<'a> {
    pub fn new(image: &'a Image, graph: &'a CallGraph, target: &[Mark]) -> Ways<'a> {
        let targets: FxHashSet<(FuncId, Block)> = target.iter().filter_map(|mark| block_of(image, mark)).collect();
        let jumps = |function| matches!(image.deed(function), None | Some(Deed::Jumps));
        let wanted = |function, block| targets.contains(&(function, block));
        let distances = RefCell::new(Distances::new(&image.program, graph, wanted, jumps));
        Ways { image, graph, targets, distances, behind: RefCell::default() }
    }

    /// Whether the target may be executed behind a place, in this activation of its function or after that.
    pub fn lead_on_from(&self, place: Place) -> bool {
        let place = Place { instruction: place.instruction + 1, ..place };
        self.distances.borrow_mut().may_arrive([place]) || self.lead_on_behind(place.function)
    }

    /// Whether it may be executed by a function that somebody else may call, as a handler of signals.
    pub fn lead_through_handlers(&self) -> bool {
        let begins = |function: &FuncId| Place { function: *function, block: Block::ENTRY, instruction: 0 };
        let is_own = |function: &&FuncId| {
            let data = &self.image.program.functions[**function];
            data.body.is_some() && !data.runtime
        };
        let mut handlers = self.graph.address_taken().iter().filter(is_own);
        handlers.any(|function| self.distances.borrow_mut().may_arrive([begins(function)]))
    }

    /// Whether it may be executed after a function has returned.
    fn lead_on_behind(&self, function: FuncId) -> bool {
        if let Some(known) = self.behind.borrow().get(&function) {
            return *known;
        }
        self.behind.borrow_mut().insert(function, false);
        let mut pending = vec![function];
        let mut seen: FxHashSet<FuncId> = pending.iter().copied().collect();
        let mut leads = false;
        while let Some(callee) = pending.pop() {
            for site in self.graph.sites_of(callee) {
                let length = self.body(site.caller).map_or(0, |body| body.blocks[site.block].insts.len() as u32);
                let instruction = site.inst.unwrap_or(length) + 1;
                let place = Place { function: site.caller, block: site.block, instruction };
                leads |= self.distances.borrow_mut().may_arrive([place]);
                if seen.insert(site.caller) {
                    pending.push(site.caller);
                }
            }
            if leads {
                break;
            }
        }
        self.behind.borrow_mut().insert(function, leads);
        leads
    }

    /// The same behind a call that gave null in these registers: where the program then accesses what they point to, it ends.
    pub fn lead_on_from_null(&self, place: Place, nulls: &[Reg]) -> bool {
        let first = Step {
            function: place.function,
            block: place.block,
            instruction: place.instruction + 1,
            nulls: nulls.to_vec(),
        };
        let mut seen: FxHashSet<Step> = FxHashSet::default();
        let mut pending = vec![first];
        while let Some(step) = pending.pop() {
            if seen.len() > MOST {
                return true;
            }
            if !seen.insert(step.clone()) {
                continue;
            }
            let Some(body) = self.body(step.function) else { continue };
            match self.rest(body, &step) {
                Rest::Arrives => return true,
                Rest::Ends => {}
                Rest::Leaves(known) => {
                    if self.leave(body, &step, &known, &mut pending) {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn body(&self, function: FuncId) -> Option<&'a Body> {
        self.image.program.functions[function].body.as_ref()
    }

    fn rest(&self, body: &Body, step: &Step) -> Rest {
        if step.instruction == 0 && self.targets.contains(&(step.function, step.block)) {
            return Rest::Arrives;
        }
        let data = &body.blocks[step.block];
        let mut known = Known { nulls: step.nulls.clone(), near: Vec::new(), conditions: Vec::new() };
        for inst in data.insts.iter().skip(step.instruction as usize) {
            match inst {
                Inst::Load { address, .. } | Inst::Store { address, .. } if known.is_near(*address) => {
                    return Rest::Ends;
                }
                Inst::Call { call } => {
                    let data = &body.calls[*call];
                    data.results.iter().for_each(|result| known.forget(*result));
                    if self.accesses(data, &known) || self.never_returns(data) {
                        return if self.enters_target(step.function, *call, data) { Rest::Arrives } else { Rest::Ends };
                    }
                    if self.enters_target(step.function, *call, data) {
                        return Rest::Arrives;
                    }
                }
                inst => {
                    inst.dst().into_iter().for_each(|dst| known.forget(dst));
                    known.learn(self.image, inst);
                }
            }
        }
        Rest::Leaves(known)
    }

    /// Goes on behind a block; whether that may come to the target in a way that is not followed.
    fn leave(&self, body: &Body, step: &Step, known: &Known, pending: &mut Vec<Step>) -> bool {
        let data = &body.blocks[step.block];
        if let Terminator::Return(values) = &data.terminator {
            return self.come_back(step.function, values, known, pending);
        }
        let edges: Vec<EdgeId> = match &data.terminator {
            Terminator::Branch { condition, if_true, if_false } => match known.decides(*condition) {
                Some(true) => vec![*if_true],
                Some(false) => vec![*if_false],
                None => vec![*if_true, *if_false],
            },
            Terminator::Resume(_) | Terminator::Unsupported { .. } => return true,
            Terminator::Invoke { call, .. } if self.enters_target(step.function, *call, &body.calls[*call]) => {
                return true;
            }
            _ => body.successors(step.block),
        };
        for edge in edges {
            let edge = &body.edges[edge];
            let params = edge.args.iter().zip(&body.blocks[edge.target].params);
            let is_null = |operand: &Operand| operand.as_reg().is_some_and(|register| known.nulls.contains(&register));
            let mut nulls: Vec<Reg> = known.nulls.clone();
            for (argument, param) in params {
                nulls.retain(|register| register != param);
                if is_null(argument) {
                    nulls.push(*param);
                }
            }
            nulls.sort_unstable();
            pending.push(Step { function: step.function, block: edge.target, instruction: 0, nulls });
        }
        false
    }

    /// Goes on behind the calls of a function that returns.
    fn come_back(&self, function: FuncId, values: &[Operand], known: &Known, pending: &mut Vec<Step>) -> bool {
        if !self.lead_on_behind(function) {
            return false;
        }
        for site in self.graph.sites_of(function) {
            let (Some(body), Some(inst)) = (self.body(site.caller), site.inst) else { return true };
            let results = body.calls[site.call].results.iter().zip(values);
            let is_null = |value: &Operand| value.as_reg().is_some_and(|register| known.nulls.contains(&register));
            let mut nulls: Vec<Reg> = results.filter(|(_, value)| is_null(value)).map(|(result, _)| *result).collect();
            nulls.sort_unstable();
            pending.push(Step { function: site.caller, block: site.block, instruction: inst + 1, nulls });
        }
        false
    }

    fn enters_target(&self, caller: FuncId, call: symcrete_ir::Call, data: &CallData) -> bool {
        let functions: &[FuncId] = match &data.callee {
            Callee::Direct(function) => std::slice::from_ref(function),
            Callee::Indirect(_) => self.graph.candidates(caller, call),
            Callee::Unsupported(_) => return true,
            Callee::Intrinsic(..) => return false,
        };
        let begins = |function: &FuncId| Place { function: *function, block: Block::ENTRY, instruction: 0 };
        let has_body = |function: &&FuncId| self.body(**function).is_some();
        functions.iter().filter(has_body).any(|function| self.distances.borrow_mut().may_arrive([begins(function)]))
    }

    fn never_returns(&self, data: &CallData) -> bool {
        match data.callee {
            Callee::Direct(function) => match self.body(function) {
                Some(_) => !self.distances.borrow().may_return(function),
                None => self.image.deed(function) == Some(Deed::Ends),
            },
            _ => false,
        }
    }

    /// Whether a call accesses what its first argument points to.
    fn accesses(&self, data: &CallData, known: &Known) -> bool {
        let does = match data.callee {
            Callee::Direct(function) => ACCESS.contains(&&*self.image.program.functions[function].name),
            Callee::Intrinsic(Intrinsic::MemoryCopy | Intrinsic::MemoryMove | Intrinsic::MemorySet, _) => true,
            _ => false,
        };
        let has_length = data.args.get(2).is_none_or(|length| match length.as_const() {
            Some(constant) => !is_zero(self.image, constant.into()),
            None => false,
        });
        does && has_length && data.args.first().is_some_and(|address| known.is_near(*address))
    }
}

fn is_zero(image: &Image, operand: Operand) -> bool {
    let constant = operand.as_const().map(|constant| &image.program.constants[constant]);
    matches!(constant, Some(Constant::Word { bits: 0, .. }))
}

impl Known {
    fn is_null(&self, operand: Operand) -> bool {
        operand.as_reg().is_some_and(|register| self.nulls.contains(&register))
    }

    /// Whether nothing is mapped at an address.
    fn is_near(&self, operand: Operand) -> bool {
        self.is_null(operand) || operand.as_reg().is_some_and(|register| self.near.contains(&register))
    }

    fn decides(&self, condition: Operand) -> Option<bool> {
        let register = condition.as_reg()?;
        self.conditions.iter().find(|(known, _)| *known == register).map(|(_, holds)| *holds)
    }

    /// A register gets another value, in another round of a loop.
    fn forget(&mut self, register: Reg) {
        self.nulls.retain(|known| *known != register);
        self.near.retain(|known| *known != register);
        self.conditions.retain(|(known, _)| *known != register);
    }

    fn learn(&mut self, image: &Image, inst: &Inst) {
        match *inst {
            Inst::Copy { dst, src, .. } | Inst::Freeze { dst, src, .. } | Inst::Cast { dst, src, .. }
                if self.is_null(src) =>
            {
                self.nulls.push(dst);
            }
            Inst::Address { dst, base, offset, terms: 0, .. }
                if self.is_near(base) && (0..UNMAPPED).contains(&offset) =>
            {
                self.near.push(dst);
            }
            Inst::IntCompare { predicate, dst, lhs, rhs, .. }
                if self.is_null(lhs) && is_zero(image, rhs) || self.is_null(rhs) && is_zero(image, lhs) =>
            {
                match predicate {
                    IntPredicate::Eq => self.conditions.push((dst, true)),
                    IntPredicate::Ne => self.conditions.push((dst, false)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
}
