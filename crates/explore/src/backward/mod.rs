//! Symcretic backward execution, its symbolic phase as a prover: from a target against the flow of control, until every way to it
//! contradicts itself (Dinges and Agha, "Targeted test input generation using symbolic-concrete backward execution", section 4.2).
//!
//! Whatever is not followed exactly is forgotten, never assumed: a loop is gone through as if it could leave anything in what it writes, a
//! region that does not matter for the goal is jumped over (section 5, slicing), memory behind unknown pointers has any contents. So what is
//! left may have more solutions than the program, and never fewer: if there is none, no input comes to the target.

mod goal;
mod shape;

use std::time::{Duration, Instant};

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::{Image, summary};
use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr, Value};
use symcrete_ir::{
    Block, Body, CallGraph, Callee, EdgeId, FuncId, GlobalId, Inst, LocId, Operand, OperandKind, Terminator, Type,
};
use symcrete_solver::{Answer, Chain, Limits, Solver};

use crate::targets::graph_is_complete;
use goal::{Frame, Goal, Names, Read, Relation};
use shape::{Root, Shapes, Write};

#[derive(Clone, Debug)]
pub struct Config {
    /// Pieces of paths that are looked at. Default: 2,000.
    pub segments: u64,
    /// Default: two seconds.
    pub time: Duration,
    /// Calls that are looked into at a time. Default: 8.
    pub depth: usize,
    /// Default: the exact solvers, with little effort for each question.
    pub solver: symcrete_solver::Config,
}

impl Default for Config {
    fn default() -> Self {
        let limits = Limits { effort: 20_000, time: Duration::from_millis(200), ..Limits::default() };
        let solver = symcrete_solver::Config { solver: Solver::Smt, limits, ..symcrete_solver::Config::default() };
        Config { segments: 2_000, time: Duration::from_secs(2), depth: 8, solver }
    }
}

/// Where paths begin.
#[derive(Copy, Clone, Debug)]
pub struct Entry {
    pub function: FuncId,
    /// What calls it in our name.
    pub start: FuncId,
    /// Whether variables still have their initial values there.
    pub is_beginning: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// No input comes to the target.
    pub refuted: bool,
    pub segments: u64,
    /// The branches on ways that were refuted: where the contradictions are.
    pub branches: Vec<LocId>,
    pub time: Duration,
}

/// Tries to refute that one of these blocks is ever entered.
pub fn refute(image: &Image, entry: Entry, targets: &[(FuncId, Block)], config: &Config) -> Outcome {
    let began = Instant::now();
    let graph = CallGraph::new(&image.program);
    if !graph_is_complete(&image.program, &graph, targets.iter().map(|(function, _)| *function)) {
        return Outcome::default();
    }
    let mut prover = Prover {
        shapes: Shapes::new(image, &graph),
        graph: &graph,
        arena: Arena::new(),
        names: Names::default(),
        chain: Chain::new(config.solver.clone()),
        entry,
        config,
        activations: 0,
        outcome: Outcome::default(),
        branches: FxHashSet::default(),
        began,
    };
    prover.outcome.refuted = prover.run(targets);
    let mut outcome = prover.outcome;
    outcome.branches = prover.branches.into_iter().collect();
    outcome.branches.sort_unstable();
    outcome.time = began.elapsed();
    outcome
}

struct Prover<'a> {
    shapes: Shapes<'a>,
    graph: &'a CallGraph,
    arena: Arena,
    names: Names,
    chain: Chain,
    entry: Entry,
    config: &'a Config,
    activations: u32,
    outcome: Outcome,
    branches: FxHashSet<LocId>,
    began: Instant,
}

/// Where a backward path comes to.
enum Step {
    /// To one place or several; to none if it contradicts itself.
    Ways(Vec<Goal>),
    /// To an entry, or to something that cannot be crossed: there may be inputs.
    Open,
}

impl<'a> Prover<'a> {
    fn run(&mut self, targets: &[(FuncId, Block)]) -> bool {
        let mut pending: Vec<Goal> = Vec::new();
        for (function, block) in targets {
            let frame = self.frame(*function, None);
            pending.push(Goal {
                frames: vec![frame],
                block: *block,
                at: 0,
                conditions: Vec::new(),
                reads: Vec::new(),
                is_changed: false,
                branches: Vec::new(),
            });
        }
        while let Some(goal) = pending.pop() {
            self.outcome.segments += 1;
            if self.outcome.segments > self.config.segments || self.began.elapsed() > self.config.time {
                return false;
            }
            match self.segment(goal) {
                Step::Ways(ways) => pending.extend(ways),
                Step::Open => return false,
            }
        }
        true
    }

    fn frame(&mut self, function: FuncId, site: Option<(Block, usize)>) -> Frame {
        self.activations += 1;
        Frame { function, activation: self.activations, names: Default::default(), site }
    }

    /// Goes back until there are several ways, or none.
    fn segment(&mut self, mut goal: Goal) -> Step {
        loop {
            if let Some(step) = self.through_block(&mut goal) {
                return step;
            }
            if self.contradicts(&mut goal) {
                return Step::Ways(Vec::new());
            }
            let mut ways = match self.before_block(goal) {
                Step::Ways(ways) => ways,
                open => return open,
            };
            ways.retain_mut(|way| !self.contradicts(way));
            if ways.len() != 1 {
                return Step::Ways(ways);
            }
            goal = ways.remove(0);
        }
    }

    /// Whether no state satisfies a goal.
    fn contradicts(&mut self, goal: &mut Goal) -> bool {
        if !std::mem::take(&mut goal.is_changed) {
            return false;
        }
        let is_false = |arena: &Arena, condition: &Expr| arena.as_word(*condition) == Some(0);
        let refuted = goal.conditions.iter().any(|condition| is_false(&self.arena, condition))
            || matches!(self.chain.solve(&mut self.arena, &goal.conditions), Answer::Unsat);
        if refuted {
            self.branches.extend(goal.branches.iter().copied());
        }
        refuted
    }

    fn operand(&mut self, goal: &mut Goal, operand: Operand, ty: Type) -> Expr {
        named(self.shapes.image, &mut self.names, &mut self.arena, goal, operand, ty)
    }

    /// Back to the beginning of the block; where that is not the way, the ways.
    fn through_block(&mut self, goal: &mut Goal) -> Option<Step> {
        let function = goal.function();
        let body = self.shapes.body(function);
        while goal.at > 0 {
            goal.at -= 1;
            let inst = &body.blocks[goal.block].insts[goal.at];
            match inst {
                Inst::Store { ty, value, .. } => self.store(goal, inst, *ty, *value),
                Inst::Alloca { dst, .. } => self.alloca(goal, *dst),
                Inst::Call { call } => {
                    if let Some(step) = self.call(goal, body, *call) {
                        return Some(step);
                    }
                }
                Inst::Load { ty, dst, address, volatile } => {
                    if let Some(name) = goal.top().names.remove(dst) {
                        self.load(goal, function, name, *ty, *address, *volatile);
                    }
                }
                _ => self.compute(goal, body, inst),
            }
        }
        None
    }

    fn compute(&mut self, goal: &mut Goal, body: &Body, inst: &Inst) {
        let Some(name) = inst.dst().and_then(|dst| goal.top().names.remove(&dst)) else { return };
        let (image, names) = (self.shapes.image, &mut self.names);
        let mut operand = |arena: &mut Arena, operand: Operand, ty: Type| named(image, names, arena, goal, operand, ty);
        let computed = summary::computed(image, &mut self.arena, body, inst, &mut operand);
        if let Some(value) = computed {
            goal.substitute(&mut self.arena, &[(name, value)].into_iter().collect());
        }
    }

    fn alloca(&mut self, goal: &mut Goal, register: symcrete_ir::Reg) {
        let activation = goal.top().activation;
        goal.reads.retain(|read| read.activation != activation || read.root != Root::Local(register));
        if let Some(name) = goal.top().names.remove(&register) {
            let zero = self.arena.word(self.arena.width(name), 0);
            let is_null = self.arena.compare(Op::Equal, name, zero);
            let is_something = self.arena.not(is_null);
            goal.require(is_something);
        }
    }

    /// A value that came from memory: what memory contained there gets a name.
    fn load(&mut self, goal: &mut Goal, function: FuncId, name: Expr, ty: Type, address: Operand, volatile: bool) {
        let pointer_bits = self.shapes.image.pointer_bits();
        let Some(location) = self.shapes.location(function, address).filter(|_| !volatile) else { return };
        let Some(offset) = location.offset else { return };
        let bytes = u64::from(ty.store_bytes(pointer_bits));
        let width = u32::from(ty.bits(pointer_bits));
        if u64::from(width) != bytes * 8 {
            return;
        }
        let activation = goal.top().activation;
        let is_global = matches!(location.root, Root::Global(_));
        let is_same = |read: &&Read| {
            let owner = is_global || read.activation == activation;
            owner && (read.root, read.offset, read.bytes) == (location.root, offset, bytes)
        };
        let contents = match goal.reads.iter().find(is_same) {
            Some(known) => known.name,
            None => {
                let contents = self.names.fresh(&mut self.arena, width);
                goal.reads.push(Read { activation, root: location.root, offset, bytes, name: contents });
                contents
            }
        };
        goal.substitute(&mut self.arena, &[(name, contents)].into_iter().collect());
    }

    fn store(&mut self, goal: &mut Goal, inst: &Inst, ty: Type, value: Operand) {
        let function = goal.function();
        let writes = self.shapes.writes(function, inst);
        let activation = goal.top().activation;
        let mut meanings = FxHashMap::default();
        let reads = std::mem::take(&mut goal.reads);
        for read in reads {
            match writes.first().map_or(Relation::Apart, |write| read.relation(write, activation)) {
                Relation::Apart => goal.reads.push(read),
                Relation::Unclear => {}
                Relation::Same => {
                    let stored = self.operand(goal, value, ty);
                    if self.arena.width(stored) == self.arena.width(read.name) {
                        meanings.insert(read.name, stored);
                    }
                }
            }
        }
        goal.substitute(&mut self.arena, &meanings);
    }

    /// A call: skipped if it does not matter, looked into where that is possible, and else forgotten with all that it may have written.
    fn call(&mut self, goal: &mut Goal, body: &'a Body, call: symcrete_ir::Call) -> Option<Step> {
        let function = goal.function();
        let data = &body.calls[call];
        let is_asked = data.results.iter().any(|result| goal.top().names.contains_key(result));
        let writes = self.shapes.call_writes(function, call);
        let activation = goal.top().activation;
        let touches =
            |read: &Read| writes.iter().any(|write| !matches!(read.relation(write, activation), Relation::Apart));
        if !is_asked && !goal.reads.iter().any(touches) {
            return None;
        }
        if let Callee::Direct(callee) = data.callee
            && self.may_look_into(goal, callee)
        {
            return Some(Step::Ways(self.returns(goal, data, callee)));
        }
        for result in &data.results {
            goal.top().names.remove(result);
        }
        goal.forget(&writes);
        None
    }

    fn may_look_into(&self, goal: &Goal, callee: FuncId) -> bool {
        let function = &self.shapes.program().functions[callee];
        function.body.is_some()
            && !function.runtime
            && goal.frames.len() < self.config.depth
            && goal.frames.iter().all(|frame| frame.function != callee)
    }

    /// The ends of a function, for what its call gave (the paper's return choice).
    fn returns(&mut self, goal: &Goal, data: &symcrete_ir::CallData, callee: FuncId) -> Vec<Goal> {
        let body = self.shapes.body(callee);
        let shape = self.shapes.shape(callee);
        let site = (goal.block, goal.at);
        let mut ways = Vec::new();
        for (block, end) in body.blocks.iter().filter(|(block, _)| shape.cfg.is_reachable(*block)) {
            let Terminator::Return(values) = &end.terminator else { continue };
            let mut way = goal.clone();
            let names: Vec<Option<Expr>> = data.results.iter().map(|result| way.top().names.remove(result)).collect();
            let frame = self.frame(callee, Some(site));
            way.frames.push(frame);
            (way.block, way.at) = (block, end.insts.len());
            let mut meanings = FxHashMap::default();
            for ((name, value), ty) in names.into_iter().zip(values).zip(&data.result_types) {
                if let Some(name) = name {
                    meanings.insert(name, self.operand(&mut way, *value, *ty));
                }
            }
            way.substitute(&mut self.arena, &meanings);
            ways.push(way);
        }
        ways
    }

    /// From the beginning of a block to what may come before it.
    fn before_block(&mut self, mut goal: Goal) -> Step {
        let function = goal.function();
        let body = self.shapes.body(function);
        if goal.block == Block::ENTRY {
            return self.before_function(goal);
        }
        let shape = self.shapes.shape(function);
        if !shape.loops.irreducible.is_empty() {
            return Step::Open;
        }
        let mut edges: Vec<EdgeId> = shape.cfg.predecessors(goal.block).to_vec();
        edges.retain(|edge| shape.cfg.is_reachable(shape.cfg.source(*edge)));
        if let Some((_, around)) = shape.loops.loops.iter().find(|(_, around)| around.header == goal.block) {
            self.forget_loop(&mut goal, body, &around.blocks);
            edges.retain(|edge| !around.back_edges.contains(edge));
        }
        if edges.len() > 1
            && let Some(above) = shape.dominators.immediate(goal.block)
            && self.is_irrelevant(&mut goal, body, above)
        {
            (goal.block, goal.at) = (above, body.blocks[above].insts.len());
            return Step::Ways(vec![goal]);
        }
        Step::Ways(edges.into_iter().map(|edge| self.along(goal.clone(), body, edge)).collect())
    }

    /// Any number of rounds of a loop may have been executed.
    fn forget_loop(&mut self, goal: &mut Goal, body: &Body, blocks: &[Block]) {
        let function = goal.function();
        let shape = self.shapes.shape(function);
        let is_inside =
            |register: symcrete_ir::Reg| shape.definitions[register].is_some_and(|(block, _)| blocks.contains(&block));
        goal.top().names.retain(|register, _| !is_inside(*register));
        let activation = goal.top().activation;
        goal.reads.retain(|read| match read.root {
            Root::Local(register) | Root::Pointer(register) => read.activation != activation || !is_inside(register),
            Root::Global(_) => true,
        });
        let writes = self.writes_in(function, body, blocks);
        goal.forget(&writes);
    }

    fn writes_in(&mut self, function: FuncId, body: &Body, blocks: &[Block]) -> Vec<Write> {
        let mut writes = Vec::new();
        for block in blocks {
            let data = &body.blocks[*block];
            for inst in &data.insts {
                writes.extend(self.shapes.writes(function, inst));
            }
            if let Terminator::Invoke { call, .. } = data.terminator {
                writes.extend(self.shapes.call_writes(function, call));
            }
        }
        writes
    }

    /// Whether nothing between a block and the one that dominates it matters for the goal (section 5: the paper's figure 7).
    fn is_irrelevant(&mut self, goal: &mut Goal, body: &Body, above: Block) -> bool {
        let block = goal.block;
        if matches!(body.blocks[above].terminator, Terminator::Invoke { .. }) {
            return false;
        }
        if body.blocks[block].params.iter().any(|param| goal.top().names.contains_key(param)) {
            return false;
        }
        let function = goal.function();
        let shape = self.shapes.shape(function);
        let mut between: Vec<Block> = Vec::new();
        let mut pending: Vec<Block> = shape.cfg.predecessor_blocks(block).collect();
        while let Some(next) = pending.pop() {
            if next != above && next != block && shape.cfg.is_reachable(next) && !between.contains(&next) {
                between.push(next);
                pending.extend(shape.cfg.predecessor_blocks(next));
            }
        }
        let defined =
            |register: &symcrete_ir::Reg| shape.definitions[*register].is_some_and(|(at, _)| between.contains(&at));
        if goal.top().names.keys().any(defined) {
            return false;
        }
        let activation = goal.top().activation;
        let writes = self.writes_in(function, body, &between);
        goal.reads
            .iter()
            .all(|read| writes.iter().all(|write| matches!(read.relation(write, activation), Relation::Apart)))
    }

    /// Back over an edge: its arguments, and the condition under which it is taken (the paper's predecessor choice).
    fn along(&mut self, mut goal: Goal, body: &Body, edge: EdgeId) -> Goal {
        let data = &body.edges[edge];
        let names: Vec<Option<Expr>> =
            body.blocks[goal.block].params.iter().map(|param| goal.top().names.remove(param)).collect();
        let mut meanings = FxHashMap::default();
        for ((name, param), argument) in names.into_iter().zip(&body.blocks[goal.block].params).zip(&data.args) {
            if let Some(name) = name {
                meanings.insert(name, self.operand(&mut goal, *argument, body.registers[*param]));
            }
        }
        goal.substitute(&mut self.arena, &meanings);
        let source = &body.blocks[data.source];
        (goal.block, goal.at) = (data.source, source.insts.len());
        let condition = match &source.terminator {
            Terminator::Branch { condition, if_true, if_false } if if_true != if_false => {
                let holds = self.operand(&mut goal, *condition, Type::BOOL);
                Some(if *if_true == edge { holds } else { self.arena.not(holds) })
            }
            Terminator::Switch { value, ty, table } => {
                let value = self.operand(&mut goal, *value, *ty);
                let width = self.arena.width(value);
                let table = &body.switches[*table];
                let is_default = table.default == edge;
                let mut some = self.arena.word(1, 0);
                for (case, _) in table.cases.iter().filter(|(_, to)| (*to == edge) != is_default) {
                    let case = self.arena.word(width, *case);
                    let equal = self.arena.compare(Op::Equal, value, case);
                    some = self.arena.binary(Op::Or, some, equal);
                }
                Some(if is_default { self.arena.not(some) } else { some })
            }
            Terminator::Invoke { call, .. } => {
                for result in &body.calls[*call].results {
                    goal.top().names.remove(result);
                }
                let writes = self.shapes.call_writes(goal.function(), *call);
                goal.forget(&writes);
                None
            }
            _ => None,
        };
        if let Some(condition) = condition {
            goal.branches.push(source.terminator_loc);
            goal.require(condition);
        }
        goal
    }

    /// At the beginning of a function: to its call (the paper's call choice).
    fn before_function(&mut self, goal: Goal) -> Step {
        let function = goal.function();
        if let [.., below, top] = &goal.frames[..]
            && let Some((block, at)) = top.site
        {
            let body = self.shapes.body(below.function);
            let Inst::Call { call } = body.blocks[block].insts[at] else { return Step::Open };
            return Step::Ways(vec![self.leave_function(goal, None, (block, at), call)]);
        }
        let program = self.shapes.program();
        if program.constructors.contains(&function) {
            return Step::Open;
        }
        if function == self.entry.function {
            let mut first = goal.clone();
            if !self.entry.is_beginning || !program.constructors.is_empty() {
                return Step::Open;
            }
            self.begin(&mut first);
            if !self.contradicts(&mut first) {
                return Step::Open;
            }
        }
        let sites: Vec<_> = self.graph.sites_of(function).filter(|site| site.caller != self.entry.start).collect();
        let mut ways = Vec::new();
        for site in sites {
            let shape = self.shapes.shape(site.caller);
            if !shape.cfg.is_reachable(site.block) {
                continue;
            }
            let Some(at) = site.inst else { return Step::Open };
            ways.push(self.leave_function(goal.clone(), Some(site.caller), (site.block, at as usize), site.call));
        }
        Step::Ways(ways)
    }

    /// Leaves a function by its beginning; `caller` is a frame that was not known.
    fn leave_function(
        &mut self,
        mut goal: Goal,
        caller: Option<FuncId>,
        (block, at): (Block, usize),
        call: symcrete_ir::Call,
    ) -> Goal {
        let Some(left) = goal.frames.pop() else { return goal };
        if let Some(caller) = caller {
            let frame = self.frame(caller, None);
            goal.frames.push(frame);
        }
        (goal.block, goal.at) = (block, at);
        let callee = self.shapes.body(left.function);
        let caller = goal.function();
        let data = &self.shapes.body(caller).calls[call];
        let params = &callee.blocks[Block::ENTRY].params;
        // Arguments in memory are copies.
        let is_plain = data.by_value.is_empty();
        let argument_of = |register: symcrete_ir::Reg| {
            let at = params.iter().position(|param| *param == register).filter(|_| is_plain)?;
            Some((*data.args.get(at)?, *data.arg_types.get(at)?))
        };
        let pointer_bits = self.shapes.image.pointer_bits();
        let mut meanings = FxHashMap::default();
        for (register, name) in &left.names {
            if let Some((argument, ty)) = argument_of(*register)
                && u32::from(ty.bits(pointer_bits)) == self.arena.width(*name)
            {
                meanings.insert(*name, self.operand(&mut goal, argument, ty));
            }
        }
        goal.substitute(&mut self.arena, &meanings);
        let activation = goal.top().activation;
        let reads = std::mem::take(&mut goal.reads);
        for mut read in reads {
            let is_own = read.activation == left.activation && !matches!(read.root, Root::Global(_));
            if is_own {
                let Root::Pointer(register) = read.root else { continue };
                let argument = argument_of(register).map(|(argument, _)| argument);
                let Some(location) = argument.and_then(|argument| self.shapes.location(caller, argument)) else {
                    continue;
                };
                let Some(offset) = location.offset.and_then(|offset| offset.checked_add(read.offset)) else { continue };
                (read.root, read.activation, read.offset) = (location.root, activation, offset);
            }
            goal.reads.push(read);
        }
        goal
    }

    /// Variables have their initial values.
    fn begin(&mut self, goal: &mut Goal) {
        let mut meanings = FxHashMap::default();
        for read in &goal.reads {
            let Root::Global(global) = read.root else { continue };
            if let Some(bytes) = self.initial(global, read.offset, read.bytes) {
                let mut value = self.arena.word(8, u64::from(bytes[0]));
                for byte in &bytes[1..] {
                    let byte = self.arena.word(8, u64::from(*byte));
                    value = self.arena.concat(byte, value);
                }
                meanings.insert(read.name, value);
            }
        }
        goal.substitute(&mut self.arena, &meanings);
    }

    fn initial(&self, global: GlobalId, offset: i64, bytes: u64) -> Option<Vec<u8>> {
        let initialiser = self.shapes.program().globals[global].initialiser.as_ref()?;
        let (begin, count) = (usize::try_from(offset).ok()?, usize::try_from(bytes).ok()?);
        let end = begin.checked_add(count)?;
        let overlaps = |at: u64| (at as usize) < end && begin < (at as usize).saturating_add(8);
        if initialiser.relocations.iter().any(|relocation| overlaps(relocation.offset)) {
            return None;
        }
        Some((begin..end).map(|at| initialiser.bytes.get(at).copied().unwrap_or(0)).collect())
    }
}

/// The name of a register in the innermost frame, or the expression of a constant.
fn named(image: &Image, names: &mut Names, arena: &mut Arena, goal: &mut Goal, operand: Operand, ty: Type) -> Expr {
    let width = u32::from(ty.bits(image.pointer_bits()));
    match operand.kind() {
        OperandKind::Reg(register) => *goal.top().names.entry(register).or_insert_with(|| names.fresh(arena, width)),
        OperandKind::Const(constant) => match image.constant(constant) {
            Value::Word(bits) => arena.word(width, *bits),
            Value::Wide(bits) => arena.constant(bits),
            // Nobody says what it is.
            Value::Partial(_) | Value::Expr(_) => names.fresh(arena, width),
        },
    }
}
