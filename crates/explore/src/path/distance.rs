//! How far it is from where a path stands to code that no path has covered: the fewest instructions, through calls and
//! returns. Static: what branches would decide is not asked. Which blocks are covered is told, not found out.

use std::collections::{BTreeSet, BinaryHeap};

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;
use symcrete_ir::{Block, Body, Call, CallGraph, Callee, FuncId, Inst, Intrinsic, Program, Terminator};

/// An instruction of the program. The terminator stands behind the last one of its block.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub function: FuncId,
    pub block: Block,
    pub instruction: u32,
}

/// Instructions to execute.
type Cost = u32;
/// Sticky under saturating addition.
const NEVER: Cost = Cost::MAX;

/// The distances of a program. Covering a block leaves a mark; the next question recomputes its function, and the
/// callers as far as that changed what they see of it.
pub struct Distances {
    functions: PrimaryMap<FuncId, Shape>,
    callees: PrimaryMap<CalleeSet, Box<[FuncId]>>,
    /// Functions that call each other in a circle, after all that they call.
    components: Vec<Component>,
    component_of: SecondaryMap<FuncId, u32>,
    /// The components to recompute, callees first.
    outdated: BTreeSet<u32>,
    /// The functions that were recomputed, to be looked at in a test.
    #[cfg(test)]
    recomputed: Vec<FuncId>,
}

/// The functions that a call may reach.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct CalleeSet(u32);
entity_impl!(CalleeSet, "callees");

#[derive(Default)]
struct Component {
    members: Vec<FuncId>,
    /// Outside of the component.
    callers: Vec<u32>,
}

/// What matters of a function's body; one without a body has no blocks, and is passed through at no cost.
#[derive(Default)]
struct Shape {
    blocks: PrimaryMap<Block, BlockShape>,
    /// By target: where an edge comes from, and its kind.
    entering: SecondaryMap<Block, Vec<(Block, EdgeKind)>>,
    uncovered: SecondaryMap<Block, bool>,
    /// Callers within the function's own component.
    recursive_callers: Vec<FuncId>,
    /// From the beginning of each block to the return of the function.
    to_return: SecondaryMap<Block, Far>,
    /// From the beginning of each block to the beginning of an uncovered one, here or in a callee.
    to_uncovered: SecondaryMap<Block, Far>,
    /// From the beginning of each block to where paths go on elsewhere, here or in a callee.
    to_elsewhere: SecondaryMap<Block, Far>,
}

/// A cost that is `NEVER` until something better is known.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Far(Cost);

impl Default for Far {
    fn default() -> Self {
        Far(NEVER)
    }
}

struct BlockShape {
    /// Instructions, the terminator included.
    length: u32,
    /// Calls of functions that have a body, or end the path, in order.
    calls: Box<[(u32, Called)]>,
    leaving: Vec<(Block, EdgeKind)>,
    returns: bool,
    /// The last of its instructions behind which nobody knows where paths go on.
    elsewhere: Option<u32>,
}

#[derive(Copy, Clone)]
enum Called {
    Functions(CalleeSet),
    /// Nothing comes back from it.
    End,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum EdgeKind {
    Normal,
    /// Taken when the call in the terminator throws, which it may do at once.
    Unwind,
}

/// What to measure the distance to.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Goal {
    Return,
    Uncovered,
    /// Where control goes on in a way that the graph does not tell: jumps out of functions, exceptions, and what is not executed.
    Elsewhere,
}

impl Distances {
    /// Of a program in which nothing is covered yet. Only `wanted` blocks count as uncovered; `jumps` says which functions without a body
    /// may go on elsewhere.
    pub fn new(
        program: &Program,
        graph: &CallGraph,
        wanted: impl Fn(FuncId, Block) -> bool,
        jumps: impl Fn(FuncId) -> bool,
    ) -> Self {
        let (sets, callees) = (FxHashMap::default(), PrimaryMap::new());
        let mut builder = Builder { program, graph, jumps: &jumps, sets, callees };
        let mut functions: PrimaryMap<FuncId, Shape> = PrimaryMap::new();
        for (id, function) in program.functions.iter() {
            functions.push(
                function
                    .body
                    .as_ref()
                    .map_or_else(Shape::default, |body| builder.shape(id, body, |block| wanted(id, block))),
            );
        }
        let mut distances = Distances {
            functions,
            callees: builder.callees,
            components: Vec::new(),
            component_of: SecondaryMap::new(),
            outdated: BTreeSet::new(),
            #[cfg(test)]
            recomputed: Vec::new(),
        };
        distances.group(graph);
        for component in 0..distances.components.len() as u32 {
            distances.solve(component, Goal::Return);
            distances.solve(component, Goal::Elsewhere);
            distances.outdated.insert(component);
        }
        distances
    }

    fn group(&mut self, graph: &CallGraph) {
        for (number, members) in (0..).zip(graph.components()) {
            members.iter().for_each(|member| self.component_of[*member] = number);
            self.components.push(Component { members: members.clone(), callers: Vec::new() });
        }
        for (number, component) in (0..).zip(&mut self.components) {
            for member in &component.members {
                let (inside, outside): (Vec<FuncId>, Vec<FuncId>) =
                    graph.callers(*member).into_iter().partition(|caller| self.component_of[*caller] == number);
                self.functions[*member].recursive_callers = inside;
                component.callers.extend(outside.into_iter().map(|caller| self.component_of[caller]));
            }
            component.callers.sort_unstable();
            component.callers.dedup();
        }
    }

    /// A path entered this block. Returns whether it is the first, and the block was wanted.
    pub fn cover(&mut self, function: FuncId, block: Block) -> bool {
        let uncovered = &mut self.functions[function].uncovered;
        if !uncovered.get(block).copied().unwrap_or(false) {
            return false;
        }
        uncovered[block] = false;
        self.outdated.insert(self.component_of[function]);
        true
    }

    /// The fewest instructions until a path enters an uncovered block, from its call stack, innermost frame first: the
    /// instruction that it executes next, then the calls that are under way. `None`: never.
    pub fn to_uncovered(&mut self, stack: impl IntoIterator<Item = Place>) -> Option<u32> {
        self.refresh();
        self.over_stack(stack, Goal::Uncovered)
    }

    /// Whether a path may still enter an uncovered block. Where it may go on elsewhere, nobody can deny that.
    pub fn may_arrive(&mut self, stack: impl IntoIterator<Item = Place> + Clone) -> bool {
        self.to_uncovered(stack.clone()).is_some() || self.over_stack(stack, Goal::Elsewhere).is_some()
    }

    /// Whether a function that has a body may return.
    pub fn may_return(&self, function: FuncId) -> bool {
        self.functions[function].entry(Goal::Return) != NEVER
            || self.functions[function].entry(Goal::Elsewhere) != NEVER
    }

    fn over_stack(&self, stack: impl IntoIterator<Item = Place>, goal: Goal) -> Option<u32> {
        let (mut best, mut returned) = (NEVER, 0);
        for (level, place) in stack.into_iter().enumerate() {
            // Further out it can only get longer.
            if returned >= best {
                break;
            }
            // The call of an outer frame is under way: it goes on behind it.
            let place = Place { instruction: place.instruction + u32::from(level > 0), ..place };
            best = best.min(returned.saturating_add(self.beyond(place, goal)));
            returned = returned.saturating_add(self.beyond(place, Goal::Return));
        }
        Some(best).filter(|cost| *cost != NEVER)
    }

    /// Brings `to_uncovered` of all functions up to date. Components stand after what they call, so that each is done
    /// once.
    fn refresh(&mut self) {
        while let Some(component) = self.outdated.pop_first() {
            let members = std::mem::take(&mut self.components[component as usize].members);
            let before: Vec<Cost> =
                members.iter().map(|member| self.functions[*member].entry(Goal::Uncovered)).collect();
            // Distances have grown, and in a circle of calls each would justify the others' old values: start from
            // nothing.
            members.iter().for_each(|member| self.functions[*member].to_uncovered.clear());
            self.components[component as usize].members = members;
            self.solve(component, Goal::Uncovered);
            let Component { members, callers } = &self.components[component as usize];
            let changed =
                members.iter().zip(before).any(|(member, old)| self.functions[*member].entry(Goal::Uncovered) != old);
            if changed {
                self.outdated.extend(callers);
            }
        }
    }

    /// Computes a goal for the functions of a component, whose distances are `NEVER` so far, from those of their
    /// callees. They only fall while this runs, so that it ends.
    fn solve(&mut self, component: u32, goal: Goal) {
        let mut work: Vec<FuncId> = self.components[component as usize].members.clone();
        let mut waiting: BTreeSet<FuncId> = work.iter().copied().collect();
        while let Some(function) = work.pop() {
            waiting.remove(&function);
            #[cfg(test)]
            self.recomputed.push(function);
            let old = self.functions[function].entry(goal);
            let distances = self.shortest(function, goal);
            let shape = &mut self.functions[function];
            *shape.goal_mut(goal) = distances;
            if shape.entry(goal) < old {
                let again = shape.recursive_callers.iter().filter(|caller| waiting.insert(**caller));
                work.extend(again);
            }
        }
    }

    /// The distances of a function's blocks, given those of its callees (Dijkstra, from the goals backwards).
    fn shortest(&self, function: FuncId, goal: Goal) -> SecondaryMap<Block, Far> {
        let shape = &self.functions[function];
        let mut distances: SecondaryMap<Block, Far> = SecondaryMap::with_capacity(shape.blocks.len());
        let mut queue = BinaryHeap::new();
        for block in shape.blocks.keys() {
            let place = Place { function, block, instruction: 0 };
            match self.within_block(place, goal) {
                NEVER => {}
                cost => {
                    distances[block] = Far(cost);
                    queue.push((std::cmp::Reverse(cost), block));
                }
            }
        }
        while let Some((std::cmp::Reverse(cost), block)) = queue.pop() {
            if cost > distances[block].0 {
                continue;
            }
            for (source, kind) in &shape.entering[block] {
                let place = Place { function, block: *source, instruction: 0 };
                let longer = cost.saturating_add(self.to_end(place, *kind));
                if longer < distances[*source].0 {
                    distances[*source] = Far(longer);
                    queue.push((std::cmp::Reverse(longer), *source));
                }
            }
        }
        distances
    }

    /// From any instruction, given the distances of blocks.
    fn beyond(&self, place: Place, goal: Goal) -> Cost {
        let shape = &self.functions[place.function];
        let Some(block) = shape.blocks.get(place.block) else { return NEVER };
        let onwards = block
            .leaving
            .iter()
            .map(|(target, kind)| self.to_end(place, *kind).saturating_add(shape.goal(goal)[*target].0));
        onwards.fold(self.within_block(place, goal), Cost::min)
    }

    /// To a goal that is reached without leaving the block by an edge.
    fn within_block(&self, from: Place, goal: Goal) -> Cost {
        let shape = &self.functions[from.function];
        let block = &shape.blocks[from.block];
        match goal {
            Goal::Return if block.returns => self.to_end(from, EdgeKind::Normal),
            Goal::Return => NEVER,
            Goal::Uncovered if from.instruction == 0 && shape.is_uncovered(from.block) => 0,
            Goal::Elsewhere if block.elsewhere.is_some_and(|at| at >= from.instruction) => 0,
            Goal::Uncovered | Goal::Elsewhere => {
                let (mut best, mut passed) = (NEVER, 0);
                for (at, called) in block.calls.iter().filter(|(at, _)| *at >= from.instruction) {
                    let called_after = (at - from.instruction + 1).saturating_add(passed);
                    best = best.min(self.entering(*called, goal).saturating_add(called_after));
                    passed = match self.entering(*called, Goal::Return).saturating_add(passed) {
                        cost if cost < best => cost,
                        _ => break,
                    };
                }
                best
            }
        }
    }

    /// From an instruction to the end of its block.
    fn to_end(&self, from: Place, kind: EdgeKind) -> Cost {
        let block = &self.functions[from.function].blocks[from.block];
        let calls = block.calls.iter().filter(|(at, _)| {
            let thrown = kind == EdgeKind::Unwind && at + 1 == block.length;
            *at >= from.instruction && !thrown
        });
        let instructions = block.length.saturating_sub(from.instruction);
        calls.fold(instructions, |cost, (_, called)| cost.saturating_add(self.entering(*called, Goal::Return)))
    }

    /// From the beginning of the nearest of the functions that a call may reach.
    fn entering(&self, called: Called, goal: Goal) -> Cost {
        match called {
            Called::End => NEVER,
            Called::Functions(set) => {
                self.callees[set].iter().map(|callee| self.functions[*callee].entry(goal)).min().unwrap_or(NEVER)
            }
        }
    }
}

impl Shape {
    fn entry(&self, goal: Goal) -> Cost {
        match goal {
            Goal::Return if self.blocks.is_empty() => 0,
            _ => self.goal(goal)[Block::ENTRY].0,
        }
    }

    fn goal(&self, goal: Goal) -> &SecondaryMap<Block, Far> {
        match goal {
            Goal::Return => &self.to_return,
            Goal::Uncovered => &self.to_uncovered,
            Goal::Elsewhere => &self.to_elsewhere,
        }
    }

    fn goal_mut(&mut self, goal: Goal) -> &mut SecondaryMap<Block, Far> {
        match goal {
            Goal::Return => &mut self.to_return,
            Goal::Uncovered => &mut self.to_uncovered,
            Goal::Elsewhere => &mut self.to_elsewhere,
        }
    }

    fn is_uncovered(&self, block: Block) -> bool {
        self.uncovered[block]
    }
}

/// Reads the shapes from the program.
struct Builder<'a> {
    program: &'a Program,
    graph: &'a CallGraph,
    jumps: &'a dyn Fn(FuncId) -> bool,
    sets: FxHashMap<Box<[FuncId]>, CalleeSet>,
    callees: PrimaryMap<CalleeSet, Box<[FuncId]>>,
}

impl Builder<'_> {
    fn shape(&mut self, function: FuncId, body: &Body, wanted: impl Fn(Block) -> bool) -> Shape {
        let mut shape = Shape::default();
        for (block, data) in body.blocks.iter() {
            let mut calls = Vec::new();
            let length = data.insts.len() as u32 + 1;
            let is_lost = matches!(data.terminator, Terminator::Resume(_) | Terminator::Unsupported { .. });
            let mut elsewhere = is_lost.then_some(length - 1);
            for (at, inst) in (0..).zip(&data.insts) {
                if let Inst::Call { call } = inst {
                    calls.extend(self.called(function, body, *call).map(|called| (at, called)));
                    elsewhere = elsewhere.max(self.goes_elsewhere(function, body, *call).then_some(at));
                }
            }
            let mut leaving = Vec::new();
            body.visit_successors(block, |edge| leaving.push((body.edges[edge].target, EdgeKind::Normal)));
            if let Terminator::Invoke { call, unwind, .. } = data.terminator {
                calls.extend(self.called(function, body, call).map(|called| (length - 1, called)));
                elsewhere = elsewhere.max(self.goes_elsewhere(function, body, call).then_some(length - 1));
                leaving = leaving.split_at(1).0.to_vec();
                leaving.push((body.edges[unwind].target, EdgeKind::Unwind));
            }
            for (target, kind) in &leaving {
                shape.entering[*target].push((block, *kind));
            }
            let returns = matches!(data.terminator, Terminator::Return(_));
            shape.uncovered[block] = wanted(block);
            shape.blocks.push(BlockShape { length, calls: calls.into(), leaving, returns, elsewhere });
        }
        shape
    }

    /// Whether nobody knows where a path goes on behind a call.
    fn goes_elsewhere(&self, caller: FuncId, body: &Body, call: Call) -> bool {
        let functions: &[FuncId] = match &body.calls[call].callee {
            Callee::Direct(function) => std::slice::from_ref(function),
            Callee::Indirect(_) => self.graph.candidates(caller, call),
            Callee::Unsupported(_) => return true,
            Callee::Intrinsic(..) => return false,
        };
        functions.iter().any(|function| self.program.functions[*function].body.is_none() && (self.jumps)(*function))
    }

    /// `None` for a call that is like any other instruction.
    fn called(&mut self, caller: FuncId, body: &Body, call: Call) -> Option<Called> {
        let functions: &[FuncId] = match &body.calls[call].callee {
            Callee::Direct(function) => std::slice::from_ref(function),
            Callee::Indirect(_) => self.graph.candidates(caller, call),
            Callee::Intrinsic(Intrinsic::Trap, _) | Callee::Unsupported(_) => return Some(Called::End),
            Callee::Intrinsic(..) => return None,
        };
        if !functions.iter().any(|function| self.program.functions[*function].body.is_some()) {
            return None;
        }
        let callees = &mut self.callees;
        let set = *self.sets.entry(functions.into()).or_insert_with_key(|functions| callees.push(functions.clone()));
        Some(Called::Functions(set))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// A chain of callers and a function aside. Distances themselves are tested from outside, in `tests/strategy`.
    #[test]
    fn only_what_sees_a_change_is_recomputed() {
        let text = "function @leaf(i1) {
             bb0(r0: i1):
               branch r0, bb1, bb2
             bb1:
               jump bb3
             bb2:
               marker
               jump bb3
             bb3:
               return
             }
             function @middle(i1) {
             bb0(r0: i1):
               call @leaf(i1 r0)
               return
             }
             function @top(i1) {
             bb0(r0: i1):
               call @middle(i1 r0)
               return
             }
             function @aside(i1) {
             bb0(r0: i1):
               return
             }";
        let program = symcrete_ir::parse::parse(text).unwrap();
        let mut distances = Distances::new(&program, &CallGraph::new(&program), |_, _| true, |_| false);
        let [leaf, middle, top, aside] = [0, 1, 2, 3].map(FuncId::from_u32);
        let at_top = [Place { function: top, block: Block::ENTRY, instruction: 0 }];
        let mut after = |covered: (FuncId, u32)| {
            distances.cover(covered.0, Block::from_u32(covered.1));
            let distance = distances.to_uncovered(at_top);
            (distance, std::mem::take(&mut distances.recomputed))
        };
        assert_eq!(after((aside, 0)).0, Some(0));
        assert_eq!(after((top, 0)), (Some(1), vec![top]));
        assert_eq!(after((middle, 0)), (Some(2), vec![middle, top]));
        // From the beginning of the leaf, bb2 is no nearer than bb1: nobody sees that it was covered.
        assert_eq!(after((leaf, 0)), (Some(3), vec![leaf, middle, top]));
        assert_eq!(after((leaf, 2)), (Some(3), vec![leaf]));
        assert_eq!(after((leaf, 1)), (Some(4), vec![leaf, middle, top]));
        assert_eq!(after((leaf, 1)), (Some(4), vec![]));
        assert_eq!(after((leaf, 3)), (None, vec![leaf, middle, top]));
    }
}
