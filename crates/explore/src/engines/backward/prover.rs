//! One step of a backward path: what an instruction, a call, an edge or the beginning of a function makes of a goal (algorithm 2 of the paper
//! on symcretic execution). Whatever is not followed exactly is forgotten, never assumed: memory behind unknown pointers has any
//! contents, and so has what a function returns that is not looked into. So what is left may have more solutions than the program, and
//! never fewer.

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_exec::distance::Side;
use symcrete_exec::{
    Image,
    summary::{self, Called},
};
use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Expr, Value};
use symcrete_ir::{
    Block, Body, CallGraph, Callee, EdgeId, FuncId, Inst, Intrinsic, LocId, Operand, OperandKind, Reg, Terminator,
    Type, convention,
};
use symcrete_solver::{Answer, Chain, Solver};

use super::callers;
use super::goal::{Active, Frame, Goal, Levels, Names, unite};
use super::memory::Object;
use super::shape::{Shapes, Write};
use super::trace::Event;
use super::{Config, Entry, Fact};
use crate::session::meter::queries_by_backend;

/// What steps are made with.
pub struct Prover<'a> {
    pub shapes: Shapes<'a>,
    pub graph: &'a CallGraph,
    pub arena: Arena,
    pub names: Names,
    /// Calls that only compute.
    called: Called,
    pub chain: Chain,
    /// All that can solve conditions, for what decision procedures leave open.
    pub every_solver: Chain,
    pub entry: Entry,
    pub config: Config,
    activations: u32,
    /// Choices so far.
    levels: u32,
    /// Loops whose invariants are looked for now.
    pub nesting: u32,
    /// The work after which nothing more is looked at.
    pub limit: u64,
    /// Whether all calls that can be made are known: else nothing is proved, but something may be found.
    pub knows_calls: bool,
    /// What may be called at all.
    callable: EntitySet<FuncId>,
    /// The branches whose conditions were contradicted.
    pub branches: rustc_hash::FxHashSet<LocId>,
    /// What was relied on besides.
    pub facts: rustc_hash::FxHashSet<Fact>,
}

/// Of an activation that is never left.
pub const FOREVER: u32 = u32::MAX;

/// How much more effort a question is worth that decides about a whole path.
const MORE: u64 = 48;

/// How much less one is worth that only says more about what is known.
const LESS: u64 = 16;

/// Expressions that are worth a question.
const EXPRESSIONS: u64 = 50;

/// Functions that one call through a pointer may be of.
const MOST_CALLEES: usize = 16;

/// Conditions among which those are looked for that contradict each other.
const MOST_IN_CORE: usize = 12;

/// What comes before the beginning of a function.
pub enum Before {
    /// Its calls, and the number of the choice between them; and the choices by which it is not where everything begins.
    Calls(u32, Vec<Goal>, Levels),
    /// It is where everything begins; the goal, with what is known of the beginning.
    Entry(Goal),
    /// Nobody knows.
    Unknown,
}

impl<'a> Prover<'a> {
    pub fn new(image: &'a Image, graph: &'a CallGraph, entry: Entry, config: Config, called: Called) -> Prover<'a> {
        let program = &image.program;
        let outside = program.constructors.iter().chain(&program.destructors).chain(graph.address_taken());
        let roots: Vec<FuncId> = outside.copied().chain([entry.function, entry.start]).collect();
        Prover {
            shapes: Shapes::new(image, graph, entry.is_beginning),
            graph,
            arena: Arena::new(),
            names: Names::default(),
            called,
            chain: Chain::new(config.solver.clone()),
            every_solver: Chain::new(symcrete_solver::Config { solver: Solver::Auto, ..config.solver.clone() }),
            entry,
            config,
            activations: 0,
            levels: 0,
            nesting: 0,
            limit: u64::MAX,
            knows_calls: true,
            callable: graph.reachable_from(roots),
            branches: Default::default(),
            facts: Default::default(),
        }
    }

    pub fn frame(&mut self, function: FuncId, site: Option<(Block, usize)>) -> Frame {
        self.activations += 1;
        Frame { function, activation: self.activations, names: Default::default(), site }
    }

    /// What was done so far, in what a question takes that is answered at once.
    pub fn work(&self) -> u64 {
        queries_by_backend(&self.chain) + self.arena.len() as u64 / EXPRESSIONS
    }

    /// Whether that was all that it may do.
    pub fn is_over(&self) -> bool {
        self.limit < u64::MAX && self.work() > self.limit
    }

    /// Where a loop begins, for people.
    pub fn loc_of(&mut self, function: FuncId, header: Block) -> LocId {
        let body = self.shapes.body(function);
        let block = &body.blocks[header];
        let locs = &self.shapes.program().debug.locs;
        block.locs.iter().find(|loc| locs[**loc].line != 0).copied().unwrap_or(block.terminator_loc)
    }

    pub fn new_level(&mut self) -> u32 {
        self.levels += 1;
        self.levels
    }

    /// The choices that made a goal contradict itself; `None` if some state satisfies it, or nobody knows.
    pub fn contradicts(&mut self, goal: &mut Goal) -> Option<Levels> {
        if !std::mem::take(&mut goal.is_changed) {
            return None;
        }
        if let Some(wrong) = goal.conditions.iter().find(|condition| self.arena.as_word(condition.expr) == Some(0)) {
            let levels = wrong.levels.clone();
            self.branches.extend(goal.branches.iter().copied());
            return Some(levels);
        }
        match self.chain.solve(&mut self.arena, &goal.exprs()) {
            Answer::Sat(_) => goal.settle(),
            Answer::Unsat => {
                self.branches.extend(goal.branches.iter().copied());
                return Some(self.core(goal));
            }
            Answer::Unknown(_) => {
                let chain = &mut self.chain;
                let mut refuted = false;
                goal.defer(&mut self.arena, |arena, exprs| match chain.solve(arena, exprs) {
                    Answer::Unsat => {
                        refuted = true;
                        false
                    }
                    Answer::Sat(_) => false,
                    Answer::Unknown(_) => true,
                });
                if refuted {
                    self.branches.extend(goal.branches.iter().copied());
                    return Some(goal.levels());
                }
            }
        }
        None
    }

    /// Whether some state satisfies a goal with all that was deferred, or nobody can say, though more effort is made than usual.
    pub fn is_satisfiable(&mut self, goal: &Goal) -> bool {
        let constraints: Vec<Expr> = goal.exprs().into_iter().chain(goal.deferred.iter().copied()).collect();
        let mut limits = self.config.solver.limits.clone();
        (limits.effort, limits.time) = (limits.effort.saturating_mul(MORE), limits.time.saturating_mul(MORE as u32));
        let refuted = matches!(self.chain.solve_with(&mut self.arena, &constraints, &limits), Answer::Unsat);
        if refuted {
            self.branches.extend(goal.branches.iter().copied());
        }
        !refuted
    }

    /// The choices behind conditions that contradict each other: of a few conditions, only those that are needed for that.
    fn core(&mut self, goal: &Goal) -> Levels {
        let mut core = goal.conditions.clone();
        if goal.levels().is_empty() || core.len() > MOST_IN_CORE {
            return goal.levels();
        }
        let mut limits = self.config.solver.limits.clone();
        (limits.effort, limits.time) = (limits.effort / LESS, limits.time / LESS as u32);
        let mut at = core.len();
        while at > 0 {
            at -= 1;
            let one = core.remove(at);
            let rest: Vec<Expr> = core.iter().map(|condition| condition.expr).collect();
            if !matches!(self.chain.solve_with(&mut self.arena, &rest, &limits), Answer::Unsat) {
                core.insert(at, one);
            }
        }
        let mut levels = Levels::new();
        core.iter().for_each(|condition| unite(&mut levels, &condition.levels));
        levels
    }

    pub fn operand(&mut self, goal: &mut Goal, operand: Operand, ty: Type) -> Expr {
        named(self.shapes.image, &mut self.names, &mut self.arena, goal, operand, ty)
    }

    /// Back to the beginning of the block; where that is not the way, the ways, and the number of the choice between them.
    pub fn through_block(&mut self, goal: &mut Goal) -> Option<(u32, Vec<Goal>)> {
        let function = goal.function();
        let body = self.shapes.body(function);
        while goal.at > 0 {
            goal.at -= 1;
            self.find_objects(goal);
            let inst = &body.blocks[goal.block].insts[goal.at];
            match inst {
                Inst::Store { ty, value, address, .. } => self.store(goal, *ty, *address, *value),
                Inst::Alloca { dst, .. } => self.alloca(goal, *dst),
                Inst::Call { call } => {
                    if let Some(ways) = self.call(goal, body, *call) {
                        return Some(ways);
                    }
                }
                Inst::Load { ty, dst, address, volatile } => {
                    if let Some(name) = goal.top().names.remove(dst) {
                        self.load(goal, name, *ty, *address, *volatile);
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

    /// A call: skipped if it does not matter, looked into where that is possible, and else forgotten with all that it may have written.
    fn call(&mut self, goal: &mut Goal, body: &'a Body, call: symcrete_ir::Call) -> Option<(u32, Vec<Goal>)> {
        let function = goal.function();
        let data = &body.calls[call];
        let is_asked = data.results.iter().any(|result| goal.top().names.contains_key(result));
        let writes = self.shapes.call_writes(function, call);
        if !is_asked && !goal.reads.iter().any(|read| self.is_touched(goal, read, &writes)) {
            return None;
        }
        if let Callee::Intrinsic(intrinsic @ (Intrinsic::MemoryCopy | Intrinsic::MemoryMove | Intrinsic::MemorySet), _) =
            data.callee
            && self.block_operation(goal, intrinsic, data)
        {
            return None;
        }
        if let Callee::Direct(callee) = data.callee
            && self.may_look_into(goal, callee)
        {
            let level = self.new_level();
            return Some((level, self.returns(goal, data, callee, level)));
        }
        if let Callee::Indirect(pointer) = data.callee
            && let Some(ways) = self.indirect(goal, function, call, pointer, &writes)
        {
            return Some(ways);
        }
        if let Some(allocation) = self.allocation(&data.callee) {
            self.before_allocation(goal, data, allocation);
            return None;
        }
        let names: Vec<Option<Expr>> = data.results.iter().map(|result| goal.top().names.remove(result)).collect();
        let is_input = matches!(&data.callee, Callee::Direct(callee) if self.shapes.image.is_input(*callee));
        if let (true, [Some(value)]) = (is_input, &names[..])
            && let Some(name) = data.args.first().and_then(|name| self.shapes.text(*name))
        {
            goal.trace.prepend(Event::Input { name: name.into(), value: *value });
        }
        self.forget(goal, &writes);
        if is_asked && !is_input {
            match self.results(goal, &FxHashMap::default(), data) {
                Some(results) => {
                    let meanings = names.into_iter().zip(results).filter_map(|(name, result)| Some((name?, result)));
                    goal.substitute(&mut self.arena, &meanings.collect());
                }
                None => goal.has_forgotten = true,
            }
        }
        None
    }

    /// What a call gives that only computes; some registers of the innermost frame have these values.
    pub fn results(
        &mut self,
        goal: &mut Goal,
        values: &FxHashMap<Reg, Expr>,
        data: &symcrete_ir::CallData,
    ) -> Option<SmallVec<[Expr; 2]>> {
        let (image, names) = (self.shapes.image, &mut self.names);
        let mut operand = |arena: &mut Arena, operand: Operand, ty: Type| {
            let known = operand.as_reg().and_then(|register| values.get(&register).copied());
            known.unwrap_or_else(|| named(image, names, arena, goal, operand, ty))
        };
        let results = self.called.results(image, &mut self.arena, data, &mut operand)?;
        if let Callee::Direct(callee) = data.callee
            && self.called.is_pure(image, callee)
        {
            self.facts.insert(Fact::Pure(callee));
        }
        Some(results)
    }

    fn may_look_into(&self, goal: &Goal, callee: FuncId) -> bool {
        let function = &self.shapes.program().functions[callee];
        function.body.is_some()
            && !function.runtime
            && goal.frames.len() < self.config.depth
            && goal.frames.iter().filter(|frame| frame.function == callee).count() <= self.config.recursion
    }

    /// A call through a pointer: to one of the functions that it may point to and that can be looked into; or to another, of which nothing
    /// is known but what all that can be called so may write. `None` if they are too many.
    fn indirect(
        &mut self,
        goal: &Goal,
        function: FuncId,
        call: symcrete_ir::Call,
        pointer: Operand,
        writes: &[Write],
    ) -> Option<(u32, Vec<Goal>)> {
        let data = &self.shapes.body(function).calls[call];
        let candidates = self.graph.candidates(function, call).iter().copied();
        let candidates: Vec<FuncId> = candidates.filter(|callee| self.may_look_into(goal, *callee)).collect();
        if candidates.is_empty() || candidates.len() > MOST_CALLEES {
            return None;
        }
        let level = self.new_level();
        let mut ways = Vec::new();
        let mut other = goal.clone();
        other.active.push(Active { level, activation: FOREVER, above: None });
        for callee in candidates {
            let mut way = goal.clone();
            way.active.push(Active { level, activation: FOREVER, above: None });
            let is_this = self.is_callee(&mut way, pointer, callee);
            way.require(is_this);
            ways.extend(self.returns(&way, data, callee, level));
            let is_this = self.is_callee(&mut other, pointer, callee);
            let is_other = self.arena.not(is_this);
            other.require(is_other);
        }
        // Where nothing can be proved, others are not worth a look.
        if self.knows_calls {
            for result in &data.results {
                other.top().names.remove(result);
            }
            self.forget(&mut other, writes);
            other.has_forgotten = true;
            ways.push(other);
        }
        Some((level, ways))
    }

    /// That a pointer is to this function.
    fn is_callee(&mut self, goal: &mut Goal, pointer: Operand, callee: FuncId) -> Expr {
        let pointer = self.operand(goal, pointer, Type::POINTER);
        let address = self.arena.word(self.arena.width(pointer), self.shapes.image.function_address(callee));
        self.arena.compare(Op::Equal, pointer, address)
    }

    /// The ends of a function, for what its call gave (the paper's return choice).
    fn returns(&mut self, goal: &Goal, data: &symcrete_ir::CallData, callee: FuncId, level: u32) -> Vec<Goal> {
        let body = self.shapes.body(callee);
        let shape = self.shapes.shape(callee);
        let site = (goal.block, goal.at);
        let mut ways = Vec::new();
        let ends = body.blocks.values().filter(|block| matches!(block.terminator, Terminator::Return(_)));
        let several = ends.count() > 1;
        let agrees = convention::results_agree(data, &self.shapes.program().functions[callee]);
        for (block, end) in body.blocks.iter().filter(|(block, _)| shape.cfg.is_reachable(*block)) {
            let Terminator::Return(values) = &end.terminator else { continue };
            let mut way = goal.clone();
            let names: Vec<Option<Expr>> = data.results.iter().map(|result| way.top().names.remove(result)).collect();
            let frame = self.frame(callee, Some(site));
            if several {
                way.active.push(Active { level, activation: frame.activation, above: None });
            }
            way.frames.push(frame);
            (way.block, way.at) = (block, end.insts.len());
            let mut meanings = FxHashMap::default();
            let mut results = values.iter().zip(&data.result_types);
            for name in names {
                match (name, results.next()) {
                    (Some(name), Some((value, ty))) if agrees => {
                        meanings.insert(name, self.operand(&mut way, *value, *ty));
                    }
                    // Through a pointer of another type, it may be anything.
                    (name, _) => way.has_forgotten |= name.is_some(),
                }
            }
            way.substitute(&mut self.arena, &meanings);
            ways.push(way);
        }
        ways
    }

    /// Any number of rounds of a loop may have been executed.
    pub fn forget_loop(&mut self, goal: &mut Goal, body: &Body, blocks: &[Block]) {
        let function = goal.function();
        let shape = self.shapes.shape(function);
        let is_inside =
            |register: symcrete_ir::Reg| shape.definitions[register].is_some_and(|(block, _)| blocks.contains(&block));
        goal.top().names.retain(|register, _| !is_inside(*register));
        let activation = goal.activation();
        goal.reads.retain(|read| match read.object {
            Object::Local { activation: of, register, .. } => of != activation || !is_inside(register),
            Object::Global(_) | Object::Unknown => true,
        });
        let writes = self.writes_in(function, body, blocks);
        self.forget(goal, &writes);
    }

    /// Whether nothing between a block and the one that dominates it matters for the goal (section 5: the paper's figure 7).
    pub fn is_irrelevant(&mut self, goal: &mut Goal, body: &Body, above: Block) -> bool {
        let block = goal.block;
        if matches!(body.blocks[above].terminator, Terminator::Invoke { .. }) {
            return false;
        }
        if body.blocks[block].params.iter().any(|param| goal.top().names.contains_key(param)) {
            return false;
        }
        let function = goal.function();
        let shape = self.shapes.shape(function);
        let between = shape.between(above, block);
        let defined =
            |register: &symcrete_ir::Reg| shape.definitions[*register].is_some_and(|(at, _)| between.contains(&at));
        if goal.top().names.keys().any(defined) {
            return false;
        }
        let writes = self.writes_in(function, body, &between);
        self.find_objects(goal);
        !goal.reads.iter().any(|read| self.is_touched(goal, read, &writes))
    }

    /// Back over an edge: its arguments, and the condition under which it is taken (the paper's predecessor choice).
    pub fn along(&mut self, mut goal: Goal, body: &Body, edge: EdgeId) -> Goal {
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
                self.forget(&mut goal, &writes);
                None
            }
            _ => None,
        };
        if let Some(condition) = condition {
            goal.branches.push(source.terminator_loc);
            let side = Side { function: goal.function(), block: goal.block, edge };
            goal.trace.prepend(Event::Branch(side));
            goal.require(condition);
        }
        goal.arrive();
        goal
    }

    /// At the beginning of a function: to its call (the paper's call choice).
    pub fn before_function(&mut self, goal: Goal) -> Before {
        let function = goal.function();
        if let [.., below, top] = &goal.frames[..]
            && let Some((block, at)) = top.site
        {
            let body = self.shapes.body(below.function);
            let Inst::Call { call } = body.blocks[block].insts[at] else { return Before::Unknown };
            let level = self.new_level();
            return Before::Calls(level, vec![self.leave_function(goal, None, (block, at), call)], Levels::new());
        }
        let program = self.shapes.program();
        if program.constructors.contains(&function) {
            return Before::Unknown;
        }
        // Which function this is depends on the choices that are under way.
        let mut conflict = goal.active_levels();
        if function == self.entry.function {
            let mut first = goal.clone();
            let is_beginning = self.entry.is_beginning && program.constructors.is_empty();
            // Others may have changed variables before, or the program itself if it calls its beginning again.
            let is_called = self.graph.sites_of(function).any(|site| site.caller != self.entry.start);
            first.is_assuming = self.begin(&mut first) && (!is_beginning || is_called);
            match self.contradicts(&mut first) {
                None => return Before::Entry(first),
                Some(_) if !is_beginning => return Before::Unknown,
                Some(levels) => unite(&mut conflict, &levels),
            }
        }
        let mut sites = callers::sites(self.shapes.image, self.graph, function);
        sites.retain(|site| self.callable.contains(site.caller));
        // What is called before and after everything is for others to say.
        if function != self.entry.function && sites.iter().any(|site| site.caller == self.entry.start) {
            return Before::Unknown;
        }
        sites.retain(|site| site.caller != self.entry.start);
        // The last way is tried first: calls by the program's own functions.
        sites.sort_by_key(|site| !program.functions[site.caller].runtime);
        let level = self.new_level();
        let mut ways = Vec::new();
        for site in &sites {
            let shape = self.shapes.shape(site.caller);
            if !shape.cfg.is_reachable(site.block) {
                continue;
            }
            let Some(at) = site.inst else { return Before::Unknown };
            let mut way = goal.clone();
            if sites.len() > 1 {
                way.active.push(Active { level, activation: FOREVER, above: None });
            }
            ways.push(self.leave_function(way, Some(site.caller), (site.block, at as usize), site.call));
        }
        Before::Calls(level, ways, conflict)
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
        goal.active.retain(|active| active.activation != left.activation);
        goal.rounds.retain(|round| round.activation != left.activation);
        if let Some(caller) = caller {
            let frame = self.frame(caller, None);
            goal.frames.push(frame);
        }
        (goal.block, goal.at) = (block, at);
        let callee = self.shapes.body(left.function);
        let caller = goal.function();
        let data = &self.shapes.body(caller).calls[call];
        if let Callee::Indirect(pointer) = data.callee {
            let is_this = self.is_callee(&mut goal, pointer, left.function);
            goal.require(is_this);
        }
        let params = &callee.blocks[Block::ENTRY].params;
        // Arguments in memory are copies; those of another type may be anything.
        let fits = |(param, ty): (&Reg, &Type)| callee.registers[*param] == *ty;
        let is_plain = data.by_value.is_empty() && params.iter().zip(&data.arg_types).all(fits);
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
        goal.has_forgotten |= meanings.len() < left.names.len();
        goal.substitute(&mut self.arena, &meanings);
        // Its own memory did not exist before.
        goal.reads
            .retain(|read| !matches!(read.object, Object::Local { activation, .. } if activation == left.activation));
        goal
    }
}

/// The name of a register in the innermost frame, or the expression of a constant.
pub fn named(image: &Image, names: &mut Names, arena: &mut Arena, goal: &mut Goal, operand: Operand, ty: Type) -> Expr {
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
