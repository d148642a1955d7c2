//! What a loop does not change: conditions of a goal that hold before the first round whenever they hold after any number of them. They are
//! found by going back over rounds of the loop from a condition alone, until a round adds nothing to what was there: by induction, if
//! the condition or one of those before it held at the end, one held at the beginning. What else the loop writes is forgotten.

use std::rc::Rc;
use std::slice;

use rustc_hash::FxHashMap;
use symcrete_expr::Expr;
use symcrete_expr::dag::{Op, post_order, substitute};
use symcrete_ir::Body;
use symcrete_ir::loops::Loop;

use super::goal::{Condition, Goal, Round};
use super::memory::Read;
use super::prover::Prover;
use super::search::{Progress, Search, demands};

/// Conditions that are tried, pieces of rounds that are looked at for all of them, and rounds.
const MOST_CONDITIONS: usize = 8;
const MOST_PIECES: u64 = 48;
const MOST_ROUNDS: usize = 3;
/// Loops inside each other for which that is done.
const MOST_NESTED: u32 = 1;

impl Prover<'_> {
    /// Goes from the header of a loop, after any number of rounds, to before its first one, with those conditions that must have held there
    /// too. `None` if there are none. The second is the number of pieces that were looked at.
    pub fn keep_invariants(&mut self, goal: &Goal, body: &Body, around: &Loop) -> (Option<Goal>, u64) {
        let mut kept: Vec<Condition> = Vec::new();
        if self.nesting >= MOST_NESTED {
            return (None, 0);
        }
        self.nesting += 1;
        let mut before = goal.clone();
        self.forget_loop(&mut before, body, &around.blocks);
        let lost = self.lost(goal, &before);
        let mut pieces = 0;
        let concerned: Vec<Condition> =
            goal.conditions.iter().filter(|condition| self.speaks_of(condition.expr, &lost)).cloned().collect();
        for condition in concerned.iter().take(MOST_CONDITIONS) {
            kept.extend(self.closed(goal, body, around, slice::from_ref(condition), &mut pieces));
        }
        // What none of them is, all together may be.
        if concerned.len() > 1 && kept.len() < concerned.len() {
            let mut more = 0;
            kept.extend(self.closed(goal, body, around, &concerned, &mut more));
            pieces += more;
        }
        self.nesting -= 1;
        if kept.is_empty() {
            return (None, pieces);
        }
        // What the loop changes had other values before.
        let mut names: FxHashMap<Expr, Expr> = FxHashMap::default();
        let top = goal.frames.len() - 1;
        for (register, name) in &goal.frames[top].names {
            if !before.frames[top].names.contains_key(register) {
                let width = self.arena.width(*name);
                let earlier = self.names.fresh(&mut self.arena, width);
                names.insert(*name, earlier);
                before.frames[top].names.insert(*register, earlier);
            }
        }
        for read in &goal.reads {
            if before.reads.iter().all(|known| known.name != read.name) {
                let width = self.arena.width(read.name);
                let earlier = self.names.fresh(&mut self.arena, width);
                names.insert(read.name, earlier);
                let offset = substitute(&mut self.arena, read.offset, &names);
                before.reads.push(Read { offset, name: earlier, ..read.clone() });
            }
        }
        for Condition { expr, levels } in kept {
            let expr = substitute(&mut self.arena, expr, &names);
            before.require_by(expr, &levels);
        }
        (Some(before), pieces)
    }

    /// The names of what a loop changes.
    fn lost(&self, goal: &Goal, before: &Goal) -> Vec<Expr> {
        let top = goal.frames.len() - 1;
        let registers = goal.frames[top].names.iter();
        let registers = registers.filter(|(register, _)| !before.frames[top].names.contains_key(register));
        let reads = goal.reads.iter().filter(|read| before.reads.iter().all(|known| known.name != read.name));
        registers.map(|(_, name)| *name).chain(reads.map(|read| read.name)).collect()
    }

    fn speaks_of(&self, expr: Expr, names: &[Expr]) -> bool {
        post_order(&self.arena, [expr], &mut Default::default()).iter().any(|part| names.contains(part))
    }

    /// Conditions and what may have held in rounds before so that they do, if that comes to an end: one of them, in the names of the goal.
    fn closed(
        &mut self,
        goal: &Goal,
        body: &Body,
        around: &Loop,
        conditions: &[Condition],
        pieces: &mut u64,
    ) -> Option<Condition> {
        let mut alone = goal.clone();
        alone.restrict(conditions.to_vec());
        let (mut any, levels) = (self.arena.boolean(true), alone.levels());
        for condition in conditions {
            any = self.arena.binary(Op::And, any, condition.expr);
        }
        let mut seen: Vec<Goal> = vec![alone.clone()];
        let mut fresh = vec![alone];
        for _ in 0..MOST_ROUNDS {
            let mut arrived = Vec::new();
            for from in fresh.drain(..) {
                self.one_round(from, &seen, body, around, &mut arrived, pieces)?;
            }
            if arrived.is_empty() {
                return Some(Condition { expr: any, levels });
            }
            for goal_before in arrived {
                let all = self.in_names_of(goal, &goal_before)?;
                any = self.arena.binary(Op::Or, any, all);
                seen.push(goal_before.clone());
                fresh.push(goal_before);
            }
        }
        None
    }

    /// Goes back over one round in every way; the goals at the header before it that are not among those that were seen. `None` if not
    /// every way can be followed.
    fn one_round(
        &mut self,
        from: Goal,
        seen: &[Goal],
        body: &Body,
        around: &Loop,
        arrived: &mut Vec<Goal>,
        pieces: &mut u64,
    ) -> Option<()> {
        let (activation, header) = (from.activation(), around.header);
        let mut start = from.clone();
        let others = seen.iter().filter(|goal| goal.activation() == activation);
        start.rounds = others.map(|goal| Round { activation, header, level: 0, goal: Rc::new(goal.clone()) }).collect();
        start.stops_at = Some((activation, header));
        let number = self.new_level();
        let choice = (around.back_edges.len() > 1).then_some(number);
        let edges = around.back_edges.iter();
        let ways = edges.map(|edge| self.chosen(&start, body, *edge, choice, Some(header))).collect();
        let mut search = Search::of_ways(number, ways);
        while *pieces < MOST_PIECES && !self.is_over() && !self.config.solver.limits.interrupted() {
            *pieces += 1;
            match search.step(self) {
                Progress::Refuted => return Some(()),
                Progress::More => {}
                Progress::Header(goal) => {
                    let mut goal = *goal;
                    goal.rounds.clear();
                    goal.stops_at = from.stops_at;
                    arrived.push(goal);
                }
                Progress::Trace(_) | Progress::GivenUp => return None,
            }
        }
        None
    }

    /// All that a goal demands, in the names of another; what it demands of nothing that either names stays as it is.
    fn in_names_of(&mut self, goal: &Goal, other: &Goal) -> Option<Expr> {
        let mut all = self.arena.boolean(true);
        for expr in demands(self, goal, other, false)? {
            all = self.arena.binary(Op::And, all, expr);
        }
        Some(all)
    }
}
