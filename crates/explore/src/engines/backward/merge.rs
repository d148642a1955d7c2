//! Going back over a join in one step: where the ways that meet there only compute, what the goal asks of the join becomes a choice
//! between values, and the search need not choose. Paths that share what follows share its work, and ten conditionals in a row are ten
//! steps, not a thousand paths.

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::summary;
use symcrete_expr::dag::{Op, post_order};
use symcrete_expr::{Arena, Expr};
use symcrete_ir::{Block, Body, EdgeId, Inst, Operand, Reg, Terminator, Type};

use super::goal::Goal;
use super::memory::Object;
use super::prover::{Prover, named};
use super::shape::Write;

/// Blocks and instructions of what is gone over at once.
const MOST_BLOCKS: usize = 24;
const MOST_INSTRUCTIONS: usize = 200;

/// What is known of a region while its blocks are gone through in order.
struct Region {
    values: FxHashMap<Reg, Expr>,
    /// Under which condition each edge is taken.
    edges: FxHashMap<EdgeId, Expr>,
    /// Names of what cannot be computed.
    unknown: FxHashSet<Expr>,
}

impl Prover<'_> {
    /// Goes from the beginning of a block to the end of the one that dominates it, over everything between, if that only computes as far as
    /// the goal is concerned. The goal is unchanged otherwise.
    pub fn merge(&mut self, goal: &mut Goal, body: &Body, above: Block) -> bool {
        let function = goal.function();
        let shape = self.shapes.shape(function);
        let mut between = shape.between(above, goal.block);
        between.sort_unstable_by_key(|block| shape.cfg.position(*block));
        let instructions: usize = between.iter().map(|block| body.blocks[*block].insts.len()).sum();
        if between.len() > MOST_BLOCKS || instructions > MOST_INSTRUCTIONS {
            return false;
        }
        let is_plain = |block: &Block| {
            let ends = &body.blocks[*block].terminator;
            matches!(ends, Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Switch { .. })
                && shape.loop_of(*block).is_none()
        };
        if shape.loop_of(goal.block).is_some()
            || !between.iter().chain([&above]).all(|block| block == &above || is_plain(block))
        {
            return false;
        }
        if !matches!(body.blocks[above].terminator, Terminator::Branch { .. } | Terminator::Switch { .. }) {
            return false;
        }
        let writes = self.writes_in(function, body, &between);
        self.find_objects(goal);
        if goal.reads.iter().any(|read| self.is_touched(goal, read, &writes)) {
            return false;
        }
        let mut merged = goal.clone();
        let block = merged.block;
        let params = body.blocks[block].params.clone();
        let wanted: Vec<(Reg, Expr)> =
            params.iter().filter_map(|param| Some((*param, merged.top().names.remove(param)?))).collect();
        // What the region computes and the goal speaks of must be among the parameters: nothing else of it dominates the block.
        let mut region =
            Region { values: FxHashMap::default(), edges: FxHashMap::default(), unknown: FxHashSet::default() };
        let holds = self.arena.boolean(true);
        self.leave(&mut merged, body, &mut region, above, holds);
        for inner in &between {
            let reached = self.reached(&region, shape.cfg.predecessors(*inner));
            self.enter(&mut merged, body, &mut region, shape.cfg.predecessors(*inner), *inner, None);
            for inst in &body.blocks[*inner].insts {
                self.execute(&mut merged, body, &mut region, inst, &writes);
            }
            self.leave(&mut merged, body, &mut region, *inner, reached);
        }
        let incoming = shape.cfg.predecessors(block);
        let reached = self.reached(&region, incoming);
        self.enter(&mut merged, body, &mut region, incoming, block, Some(&wanted));
        let mut meanings = FxHashMap::default();
        for (param, name) in &wanted {
            let Some(value) = region.values.get(param) else { return false };
            meanings.insert(*name, *value);
        }
        let results: Vec<Expr> = meanings.values().copied().chain([reached]).collect();
        let parts = post_order(&self.arena, results, &mut Default::default());
        if parts.iter().any(|part| region.unknown.contains(part)) {
            return false;
        }
        (merged.block, merged.at) = (above, body.blocks[above].insts.len());
        merged.substitute(&mut self.arena, &meanings);
        if self.arena.as_word(reached) != Some(1) {
            merged.require(reached);
        }
        for block in between.iter().chain([&above]) {
            merged.branches.push(body.blocks[*block].terminator_loc);
        }
        merged.arrive();
        *goal = merged;
        true
    }

    /// Under which condition one of these edges is taken.
    fn reached(&mut self, region: &Region, edges: &[EdgeId]) -> Expr {
        let mut some = self.arena.boolean(false);
        for edge in edges {
            if let Some(taken) = region.edges.get(edge) {
                some = self.arena.binary(Op::Or, some, *taken);
            }
        }
        some
    }

    /// What the parameters of a block are: all, or those that somebody wants.
    fn enter(
        &mut self,
        goal: &mut Goal,
        body: &Body,
        region: &mut Region,
        edges: &[EdgeId],
        block: Block,
        wanted: Option<&[(Reg, Expr)]>,
    ) {
        for (at, param) in body.blocks[block].params.iter().enumerate() {
            if wanted.is_some_and(|wanted| wanted.iter().all(|(register, _)| register != param)) {
                continue;
            }
            let ty = body.registers[*param];
            let mut value: Option<Expr> = None;
            for edge in edges {
                let Some(taken) = region.edges.get(edge).copied() else { continue };
                let argument = self.value(goal, region, body.edges[*edge].args[at], ty);
                value = Some(match value {
                    None => argument,
                    Some(other) => self.arena.ite(taken, argument, other),
                });
            }
            if let Some(value) = value {
                region.values.insert(*param, value);
            }
        }
    }

    fn execute(&mut self, goal: &mut Goal, body: &Body, region: &mut Region, inst: &Inst, writes: &[Write]) {
        if let Inst::Load { ty, dst, address, volatile } = inst {
            let known = address.as_reg().and_then(|register| region.values.get(&register).copied());
            let place = self.place_of(goal, *address, known);
            let value = if *volatile { None } else { self.contents(goal, *ty, place, writes) };
            self.define(region, body, *dst, value);
            return;
        }
        if let Inst::Call { call } = inst {
            let data = &body.calls[*call];
            let values = self.results(goal, &region.values, data).unwrap_or_default();
            for (at, result) in data.results.iter().enumerate() {
                self.define(region, body, *result, values.get(at).copied());
            }
            return;
        }
        let Some(dst) = inst.dst() else { return };
        let (image, names) = (self.shapes.image, &mut self.names);
        let values = &region.values;
        let mut operand = |arena: &mut Arena, operand: Operand, ty: Type| match operand.as_reg() {
            Some(register) if values.contains_key(&register) => values[&register],
            _ => named(image, names, arena, goal, operand, ty),
        };
        let value = summary::computed(image, &mut self.arena, body, inst, &mut operand);
        self.define(region, body, dst, value);
    }

    /// What a load in the region gives, if nothing in the region may have written there.
    fn contents(&mut self, goal: &mut Goal, ty: Type, place: (Object, Expr), writes: &[Write]) -> Option<Expr> {
        let (read, value) = self.read(goal, ty, place)?;
        if read.as_ref().is_some_and(|read| self.is_touched(goal, read, writes)) {
            return None;
        }
        goal.remember(read);
        Some(value)
    }

    fn define(&mut self, region: &mut Region, body: &Body, register: Reg, value: Option<Expr>) {
        let value = value.unwrap_or_else(|| {
            let width = u32::from(body.registers[register].bits(self.shapes.image.pointer_bits()));
            let name = self.names.fresh(&mut self.arena, width);
            region.unknown.insert(name);
            name
        });
        region.values.insert(register, value);
    }

    fn value(&mut self, goal: &mut Goal, region: &Region, operand: Operand, ty: Type) -> Expr {
        match operand.as_reg().and_then(|register| region.values.get(&register)) {
            Some(value) => *value,
            None => self.operand(goal, operand, ty),
        }
    }

    /// Which edges a block is left by, where it is come to under a condition.
    fn leave(&mut self, goal: &mut Goal, body: &Body, region: &mut Region, block: Block, reached: Expr) {
        match &body.blocks[block].terminator {
            Terminator::Jump(edge) => {
                region.edges.insert(*edge, reached);
            }
            Terminator::Branch { condition, if_true, if_false } => {
                let holds = self.value(goal, region, *condition, Type::BOOL);
                let opposite = self.arena.not(holds);
                let (yes, no) =
                    (self.arena.binary(Op::And, reached, holds), self.arena.binary(Op::And, reached, opposite));
                region.edges.insert(*if_true, yes);
                region.edges.insert(*if_false, no);
            }
            Terminator::Switch { value, ty, table } => {
                let value = self.value(goal, region, *value, *ty);
                let width = self.arena.width(value);
                let table = &body.switches[*table];
                let mut other = reached;
                for (case, edge) in &table.cases {
                    let case = self.arena.word(width, *case);
                    let equal = self.arena.compare(Op::Equal, value, case);
                    let taken = self.arena.binary(Op::And, reached, equal);
                    let known = region.edges.get(edge).copied();
                    let taken = known.map_or(taken, |known| self.arena.binary(Op::Or, known, taken));
                    region.edges.insert(*edge, taken);
                    let differs = self.arena.not(equal);
                    other = self.arena.binary(Op::And, other, differs);
                }
                let known = region.edges.get(&table.default).copied();
                let other = known.map_or(other, |known| self.arena.binary(Op::Or, known, other));
                region.edges.insert(table.default, other);
            }
            _ => {}
        }
    }
}
