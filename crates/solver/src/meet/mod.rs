//! Meeting in the middle: an equality of words that mixes many inputs, as hashes and checksums do, is cut in two at one value inside. What the
//! inputs below the cut make of it is computed for many of them; what it must be for those above the cut is found by going down from the
//! equality. Where both agree there is a solution: about 2^(n/2) trials of each side find one for n bits, where 2^n trials of the whole would
//! be needed.
//!
//! Where to cut is in `cut`, how to go down through one step in `step`.

mod cut;
mod step;

use std::rc::Rc;
use std::time::Instant;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::Op;
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_tape::{Interpreter, Metric, Tape};

use crate::answer::{Answer, Limits, Reason};
use crate::backend::{Backend, Role};
use crate::random::Random;
use cut::{Cut, Graph, VariableSet};
use step::Linear;

/// Constraints with more operations than this are left to others.
const MOST_INSTRUCTIONS: usize = 20_000;
/// Widths of equalities that are worth it: others find the narrow ones, and for the wide ones it takes too long.
const WIDTHS: std::ops::RangeInclusive<u32> = 17..=44;
/// Values below the cut that are kept.
const MOST_KEPT: u64 = 1 << 20;
/// Cuts that are tried, the best one first.
const MOST_CUTS: usize = 6;
/// Trials after which it is known whether enough of them satisfy the other constraints, and how many that must be.
const FIRST_TRIALS: u64 = 4096;
const ENOUGH: u64 = 32;
/// With less to hope for, it is not begun.
const LEAST_EXPECTED: f64 = 0.2;
/// The most solutions that are hoped for before it is enough.
const MOST_EXPECTED: f64 = 16.0;
/// Variables up to this width have the values listed that constraints on them alone allow.
const LISTED: u32 = 8;

#[derive(Default)]
pub struct Meet {
    seed: u64,
    queries: u64,
    /// A model that is known to satisfy most of the next query.
    hint: Option<Rc<Model>>,
}

impl Meet {
    pub fn new(seed: u64) -> Meet {
        Meet { seed, ..Meet::default() }
    }

    fn search(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Result<Model, Reason> {
        let wanted = constraints.iter().enumerate().filter_map(|(at, constraint)| {
            let node = arena.node(*constraint);
            let is_one = node.op == Op::Equal && WIDTHS.contains(&arena.width(node.first()));
            is_one.then(|| (at, node.first(), node.second()))
        });
        let wanted: Vec<(usize, Expr, Expr)> = wanted.collect();
        for (at, a, b) in wanted {
            // What is to be zero, or a constant.
            let (root, target) = match (arena.as_word(a), arena.as_word(b)) {
                (_, Some(word)) => (a, word),
                (Some(word), None) => (b, word),
                (None, None) => (arena.binary(Op::Sub, a, b), 0),
            };
            let Some(graph) = Graph::new(arena, root) else { continue };
            let cuts = graph.cuts(arena);
            if cuts.is_empty() {
                continue;
            }
            let tape = Tape::new(arena, constraints, Metric::Difference, MOST_INSTRUCTIONS);
            let Ok(tape) = tape else { return Err(Reason::Inexpressible) };
            for cut in cuts.into_iter().take(MOST_CUTS) {
                self.queries += 1;
                let seed = self.seed ^ self.queries.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let base = point(&tape, self.hint.as_deref());
                let mut pair = Pair { arena, graph: &graph, constraints, equality: at, tape: &tape, base, seed };
                let Some(steps) = pair.steps(&cut) else { continue };
                return pair.search(&cut, &steps, target, limits);
            }
        }
        Err(Reason::Inexpressible)
    }
}

impl Backend for Meet {
    fn name(&self) -> &'static str {
        "meet"
    }

    fn role(&self) -> Role {
        Role::Halves
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        match self.search(arena, constraints, limits) {
            Ok(model) => Answer::Sat(model),
            Err(_) if limits.interrupted() => Answer::Unknown(Reason::Interrupted),
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn hint(&mut self, model: &Rc<Model>) {
        self.hint = Some(model.clone());
    }
}

/// The words of all variables, as a model has them.
fn point(tape: &Tape, model: Option<&Model>) -> Vec<u64> {
    let mut point = vec![0; tape.words()];
    for input in tape.inputs() {
        if let Some(bits) = model.and_then(|model| model.get(input.variable)) {
            point[input.words()].copy_from_slice(&bits.limbs()[..input.words().len()]);
        }
    }
    point
}

/// One equality cut in two.
struct Pair<'a> {
    arena: &'a Arena,
    graph: &'a Graph,
    constraints: &'a [Expr],
    equality: usize,
    tape: &'a Tape,
    /// What variables are that the equality does not have.
    base: Vec<u64>,
    seed: u64,
}

/// One half of the variables, and how values for it are drawn.
struct Half {
    /// The word of each variable, its width, and the values that are allowed if they are listed.
    variables: Vec<(usize, u32, Option<Vec<u64>>)>,
    /// Constraints that depend on this half and nothing of the other one.
    checks: Vec<u32>,
}

impl Half {
    /// Draws the values of one trial, the same each time.
    fn draw(&self, seed: u64, trial: u64, point: &mut [u64]) {
        let mut random = Random::new(seed ^ trial.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        for (word, width, listed) in &self.variables {
            point[*word] = match listed {
                Some(values) => *random.one_of(values),
                None => random.bits() >> (64 - width),
            };
        }
    }

    fn holds(&self, values: &Interpreter) -> bool {
        self.checks.iter().all(|slot| values.word(*slot) & 1 == 1)
    }
}

impl Pair<'_> {
    /// The ways down from the equality to the cut, one after the other; `None` if one of them cannot be gone.
    fn steps(&mut self, cut: &Cut) -> Option<Vec<Linear>> {
        let mut random = Random::new(self.seed);
        let mut values = Interpreter::new(self.tape);
        let mut point = self.base.clone();
        let mut draw = |values: &mut Interpreter| {
            for input in self.tape.inputs().iter().filter(|input| input.width <= 64) {
                point[input.word as usize] = random.bits() >> (64 - input.width);
            }
            values.run(self.tape, &point);
            random.bits()
        };
        cut.steps(self.graph)
            .into_iter()
            .map(|ends| {
                let step = self.graph.step(self.arena, self.tape, cut, ends)?;
                Linear::new(step, &mut values, &mut draw)
            })
            .collect()
    }

    fn half(&self, of: VariableSet, other: VariableSet) -> Option<Half> {
        let mut half = Half { variables: Vec::new(), checks: Vec::new() };
        let mut values = Interpreter::new(self.tape);
        let sets: Vec<(VariableSet, u32)> = (self.constraints.iter().enumerate())
            .filter(|(at, _)| *at != self.equality)
            .filter_map(|(_, constraint)| {
                Some((self.graph.variables_of(self.arena, *constraint), self.tape.slot(*constraint)?))
            })
            .collect();
        half.checks = sets.iter().filter(|(set, _)| set & of != 0 && set & other == 0).map(|(_, slot)| *slot).collect();
        for (number, variable) in self.graph.variables.iter().enumerate().filter(|(number, _)| of >> number & 1 == 1) {
            let input =
                self.tape.inputs().iter().find(|input| Some(input.variable) == self.arena.variable_of(*variable))?;
            let (word, width) = (input.word as usize, input.width);
            let alone: Vec<u32> = sets.iter().filter(|(set, _)| *set == 1 << number).map(|(_, slot)| *slot).collect();
            let listed = (width <= LISTED && !alone.is_empty()).then(|| {
                let mut point = self.base.clone();
                let mut allows = |value: &u64| {
                    point[word] = *value;
                    values.run(self.tape, &point);
                    alone.iter().all(|slot| values.word(*slot) & 1 == 1)
                };
                (0..1u64 << width).filter(|value| allows(value)).collect::<Vec<u64>>()
            });
            if listed.as_ref().is_some_and(Vec::is_empty) {
                return None;
            }
            half.variables.push((word, width, listed));
        }
        Some(half)
    }

    fn search(&mut self, cut: &Cut, steps: &[Linear], target: u64, limits: &Limits) -> Result<Model, Reason> {
        let all = self.graph.all_variables();
        let (inner, outer) = (cut.variables, all & !cut.variables);
        let (Some(below), Some(above)) = (self.half(inner, outer), self.half(outer, inner)) else {
            return Err(Reason::Inexpressible);
        };
        // In thousandths, as the walk counts.
        let price = 100 + 3 * self.tape.instructions().len() as u64;
        let trials = limits.effort.saturating_mul(1000) / price;
        let width = self.arena.width(cut.node);
        let kept = (1u64 << (width / 2 + 1)).min(trials / 2).min(MOST_KEPT);
        let possible = (1u128 << width) as f64;
        let most = (trials - kept).min((MOST_EXPECTED * possible / kept.max(1) as f64) as u64);
        if (kept as f64) * (most as f64) / possible < LEAST_EXPECTED {
            return Err(Reason::Limit);
        }
        let deadline = Instant::now().checked_add(limits.time);
        let is_over = |trial: u64| {
            trial.is_multiple_of(1024)
                && (limits.interrupted() || deadline.is_some_and(|deadline| Instant::now() >= deadline))
        };
        let slot = self.tape.slot(cut.node).ok_or(Reason::Inexpressible)?;
        let (mut values, mut point) = (Interpreter::new(self.tape), self.base.clone());
        let mut seen: FxHashMap<u64, u32> = FxHashMap::default();
        for trial in 0..kept {
            if is_over(trial) || trial == FIRST_TRIALS && (seen.len() as u64) < ENOUGH {
                return Err(Reason::Limit);
            }
            below.draw(self.seed, trial, &mut point);
            values.run(self.tape, &point);
            if below.holds(&values) {
                seen.insert(values.word(slot), trial as u32);
            }
        }
        let mut fitting = 0u64;
        for trial in 0..most {
            if is_over(trial) || trial == FIRST_TRIALS && fitting < ENOUGH {
                return Err(Reason::Limit);
            }
            above.draw(!self.seed, trial, &mut point);
            values.run(self.tape, &point);
            if !above.holds(&values) {
                continue;
            }
            let needed = steps.iter().try_fold(target, |wanted, step| step.needed(wanted, &values));
            fitting += u64::from(needed.is_some());
            if let Some(met) = needed.and_then(|needed| seen.get(&needed)) {
                below.draw(self.seed, u64::from(*met), &mut point);
                values.run(self.tape, &point);
                let holds =
                    |constraint: &Expr| self.tape.slot(*constraint).is_some_and(|slot| values.word(slot) & 1 == 1);
                if self.constraints.iter().all(holds) {
                    return Ok(self.model(&point));
                }
            }
        }
        Err(Reason::Limit)
    }

    fn model(&self, point: &[u64]) -> Model {
        let mut model = Model::default();
        for input in self.tape.inputs() {
            model.set(input.variable, Bits::from_limbs(input.width, &point[input.words()]));
        }
        model
    }
}
