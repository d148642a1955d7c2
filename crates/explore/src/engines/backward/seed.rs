//! What the backward search says of the inputs of a trace: values, and which of them the concrete phase is to change (section 4.3 of the paper
//! on symcretic execution).

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::State;
use symcrete_expr::Expr;
use symcrete_expr::dag::post_order;
use symcrete_ir::Block;
use symcrete_solver::Answer;

use super::goal::Goal;
use super::prover::Prover;
use super::trace::Event;
use crate::local_search::candidate::Candidate;

/// What the backward search says of inputs: values by their names, in the order in which inputs of a name are asked for.
pub struct Seed {
    values: FxHashMap<Rc<str>, Vec<u128>>,
    /// The inputs that are to be changed, if not all: those on which conditions hang that were left open (the set B ∩ R of section 4.3;
    /// the others satisfy what they have to). Each by its name and its number among those of the name.
    changed: Option<FxHashSet<(Rc<str>, usize)>>,
    /// Whether all conditions can hold, so far as the backward search knows them.
    pub is_solved: bool,
}

impl Seed {
    /// `None` if the conditions of the goal contradict each other.
    pub fn of(prover: &mut Prover, goal: &Goal) -> Option<Seed> {
        let mut seed = Seed { values: FxHashMap::default(), changed: None, is_solved: false };
        let constraints: Vec<Expr> = goal.exprs().into_iter().chain(goal.deferred.iter().copied()).collect();
        let mut answer = prover.chain.solve(&mut prover.arena, &constraints);
        if matches!(answer, Answer::Unknown(_)) && !goal.deferred.is_empty() {
            answer = prover.every_solver.solve(&mut prover.arena, &constraints);
        }
        seed.is_solved = matches!(answer, Answer::Sat(_));
        if matches!(answer, Answer::Unknown(_)) {
            answer = prover.chain.solve(&mut prover.arena, &goal.exprs());
        }
        let model = match answer {
            Answer::Sat(model) => model,
            Answer::Unsat => {
                prover.branches.extend(goal.branches.iter().copied());
                return None;
            }
            Answer::Unknown(_) => return Some(seed),
        };
        let model = Rc::new(model);
        let open: FxHashSet<Expr> =
            post_order(&prover.arena, goal.deferred.iter().copied(), &mut Default::default()).into_iter().collect();
        let mut changed = FxHashSet::default();
        let mut set = |name: Rc<str>, expr: Expr| {
            let values = seed.values.entry(name.clone()).or_default();
            if open.contains(&expr) {
                changed.insert((name, values.len()));
            }
            values.push(prover.chain.evaluate(&prover.arena, &model, expr).low_u128());
        };
        if let [frame] = &goal.frames[..] {
            let function = &prover.shapes.program().functions[frame.function];
            let params = &prover.shapes.body(frame.function).blocks[Block::ENTRY].params;
            for (number, register) in params.iter().enumerate() {
                // The engine names parameters so, too.
                let known = function.debug.as_ref().map_or(&[][..], |debug| &debug.params);
                let known = known.get(number).filter(|_| known.len() == params.len());
                let name = known.map_or(String::new(), |variable| variable.name.clone());
                let name = if name.is_empty() { format!("parameter {}", number + 1) } else { name };
                if let Some(expr) = frame.names.get(register) {
                    set(name.as_str().into(), *expr);
                }
            }
        }
        for event in goal.trace.events() {
            if let Event::Input { name, value } = event {
                set(name.clone(), *value);
            }
        }
        // Where something was forgotten, nobody knows which inputs are behind it.
        let is_known = !goal.has_forgotten && !goal.is_loose;
        seed.changed = Some(changed).filter(|changed| is_known && !changed.is_empty());
        Some(seed)
    }

    /// The inputs of a run, with these values.
    pub fn apply(&self, state: &State, given: &Candidate) -> Option<Candidate> {
        let mut bytes = given.bytes.to_vec();
        let mut taken: FxHashMap<Rc<str>, usize> = FxHashMap::default();
        let mut begin = 0;
        for input in state.inputs.list() {
            let end = begin + input.bytes as usize;
            if let Some(values) = self.values.get(&input.name) {
                let number = taken.entry(input.name.clone()).or_default();
                if let Some(value) = values.get(*number).filter(|_| input.bytes <= 16) {
                    bytes[begin..end].copy_from_slice(&value.to_le_bytes()[..end - begin]);
                }
                *number += 1;
            }
            begin = end;
        }
        (bytes[..] != given.bytes[..]).then(|| given.with(bytes))
    }

    /// Other bytes for a candidate, but for the inputs that are not to be changed.
    pub fn keep(&self, at: &Candidate, mut bytes: Vec<u8>) -> Vec<u8> {
        let Some(changed) = &self.changed else { return bytes };
        let mut taken: FxHashMap<&Rc<str>, usize> = FxHashMap::default();
        for place in &at.layout.inputs {
            let number = taken.entry(&place.name).or_default();
            let is_fixed = !changed.contains(&(place.name.clone(), *number));
            if let (true, Some(to)) = (is_fixed, bytes.get_mut(place.begin..place.end)) {
                to.copy_from_slice(&at.bytes[place.begin..place.end]);
            }
            *number += 1;
        }
        bytes
    }

    /// From here on, all inputs may be changed; whether that is new.
    pub fn free(&mut self) -> bool {
        self.changed.take().is_some()
    }
}
