//! Decides what has few values: where the variables of a query have no more than some hundred thousand values together, as the digits of a short
//! number have, these are listed, and all that is computed from them is computed for each. Products, tables, floats and calls cost no more
//! than sums there, while other exact backends have to reason about them.
//!
//! The list grows by one variable after the other. Constraints are asked as soon as it has all of their variables, so that it stays short.

use std::rc::Rc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_expr::dag::{VariableId, VariableSets};
use symcrete_expr::{Arena, Bits, Expr, Model};
use symcrete_tape::{Machine, Tape};

use super::{Backend, Role};
use crate::answer::{Answer, Limits, Reason};

/// With more variables than this it is not begun.
const MOST_VARIABLES: usize = 32;
/// Nor with one that has more bits.
const WIDEST: u32 = 16;
/// Nor with this many values, as logarithm of all together.
const MOST_TOGETHER: f64 = 24.0;
/// Values of all variables so far that are kept.
const MOST_ROWS: u64 = 1 << 20;
/// Constraints with more operations than this are left to others.
const MOST_INSTRUCTIONS: usize = 20_000;
/// Values in all lists that are remembered.
const MOST_KNOWN: usize = 1 << 22;
/// Rows that are computed at once.
const AT_ONCE: usize = 256;

#[derive(Default)]
pub struct Listing {
    variables: VariableSets,
    /// The values of a variable that constraints on it alone allow: the conditions of a path are asked again with each new one.
    known: FxHashMap<(VariableId, Vec<Expr>), Rc<List>>,
    /// How many values these are.
    values: usize,
    /// Of the arena, when these were found.
    generation: u32,
    /// Constraints that contradict each other, after `Unsat`.
    core: Vec<Expr>,
}

/// A constraint and its variables.
struct Constraint {
    expr: Expr,
    variables: Vec<VariableId>,
}

/// Values of some variables that satisfy all constraints on these alone.
struct List {
    variables: Vec<VariableId>,
    /// One after the other.
    rows: Vec<u64>,
}

impl List {
    fn len(&self) -> usize {
        if self.variables.is_empty() { 1 } else { self.rows.len() / self.variables.len() }
    }
}

/// What may still be spent.
struct Budget<'a> {
    limits: &'a Limits,
    /// In nanoseconds of a usual machine.
    left: u64,
    deadline: Option<Instant>,
}

impl Budget<'_> {
    /// A tape that is run for so many rows. As `symcrete_tape` measured it, a row takes 5 ns for each instruction until the tape is compiled, and then
    /// one.
    fn spend(&mut self, tape: &Tape, rows: u64) -> Result<(), Reason> {
        let instructions = tape.instructions().len() as u64;
        let interpreted = rows.saturating_mul(100 + 5 * instructions);
        let compiled = rows.saturating_mul(100 + instructions).saturating_add(200_000 + 1000 * instructions);
        self.left = self.left.checked_sub(interpreted.min(compiled)).ok_or(Reason::Limit)?;
        Ok(())
    }

    fn check(&self) -> Result<(), Reason> {
        match self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            _ if self.limits.interrupted() => Err(Reason::Interrupted),
            true => Err(Reason::Limit),
            false => Ok(()),
        }
    }
}

impl Listing {
    fn decide(&mut self, arena: &Arena, constraints: &[Expr], limits: &Limits) -> Result<Option<Model>, Reason> {
        let (mut waiting, all) = self.constraints(arena, constraints)?;
        let deadline = Instant::now().checked_add(limits.time);
        let mut budget = Budget { limits, left: limits.effort.saturating_mul(1000), deadline };
        // The values of each variable that constraints on it alone allow.
        let mut others: Vec<Rc<List>> = Vec::new();
        for variable in all {
            let (alone, rest) = waiting.into_iter().partition(|constraint| constraint.variables == [variable]);
            waiting = rest;
            let list = self.values(arena, variable, &alone, &mut budget)?;
            if list.len() == 0 {
                self.core = alone.iter().map(|constraint| constraint.expr).collect();
                return Ok(None);
            }
            others.push(list);
        }
        if others.iter().map(|list| (list.len() as f64).log2()).sum::<f64>() > MOST_TOGETHER {
            return Err(Reason::Inexpressible);
        }
        let mut list = List { variables: Vec::new(), rows: Vec::new() };
        while !others.is_empty() {
            let next = others.swap_remove(next(&list, &others, &waiting));
            let is_known =
                |variable: &VariableId| list.variables.contains(variable) || next.variables.contains(variable);
            let (asked, rest) = waiting.into_iter().partition(|constraint| constraint.variables.iter().all(is_known));
            waiting = rest;
            list = joined(arena, &list, &next, &asked, &mut budget)?;
            if list.len() == 0 {
                let is_asked = |expr: &&Expr| waiting.iter().all(|constraint| constraint.expr != **expr);
                self.core = constraints.iter().filter(is_asked).copied().collect();
                return Ok(None);
            }
        }
        let mut model = Model::default();
        for (variable, value) in list.variables.iter().zip(&list.rows) {
            model.set(*variable, Bits::from_u64(arena.variables()[*variable].width, *value));
        }
        Ok(Some(model))
    }

    /// The values of a variable that constraints on it alone allow.
    fn values(
        &mut self,
        arena: &Arena,
        variable: VariableId,
        alone: &[Constraint],
        budget: &mut Budget,
    ) -> Result<Rc<List>, Reason> {
        let key = (variable, alone.iter().map(|constraint| constraint.expr).collect());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let empty = List { variables: Vec::new(), rows: Vec::new() };
        let every = List { variables: vec![variable], rows: (0..1 << arena.variables()[variable].width).collect() };
        let list = Rc::new(joined(arena, &empty, &every, alone, budget)?);
        self.values += list.len() + 1;
        if self.values > MOST_KNOWN {
            self.known.clear();
            self.values = list.len() + 1;
        }
        self.known.insert(key, list.clone());
        Ok(list)
    }

    /// The constraints with their variables, and all variables in the order of their numbers. An error if these have too many values.
    fn constraints(&mut self, arena: &Arena, all: &[Expr]) -> Result<(Vec<Constraint>, Vec<VariableId>), Reason> {
        let mut constraints = Vec::new();
        let mut variables: Vec<VariableId> = Vec::new();
        let mut seen = FxHashSet::default();
        for &expr in all {
            let set = self.variables.of(arena, expr);
            let mut its_own = Vec::new();
            for variable in self.variables.variables(set) {
                let kind = arena.variables()[variable];
                if kind.index_width != 0 || kind.width > WIDEST || its_own.len() == MOST_VARIABLES {
                    return Err(Reason::Inexpressible);
                }
                its_own.push(variable);
                if seen.insert(variable) {
                    variables.push(variable);
                }
            }
            if variables.len() > MOST_VARIABLES || its_own.is_empty() {
                return Err(Reason::Inexpressible);
            }
            constraints.push(Constraint { expr, variables: its_own });
        }
        variables.sort_unstable();
        Ok((constraints, variables))
    }
}

/// Which list to take next: one with which something can be asked, if there is any; among these one with few values.
fn next(list: &List, others: &[Rc<List>], waiting: &[Constraint]) -> usize {
    let rank = |at: &usize| {
        let next = &others[*at];
        let missing = |constraint: &Constraint| {
            constraint.variables.iter().filter(|variable| !list.variables.contains(variable)).count()
        };
        let missing =
            waiting.iter().filter(|constraint| constraint.variables.contains(&next.variables[0])).map(missing);
        (missing.min().unwrap_or(usize::MAX), next.len(), next.variables[0])
    };
    (0..others.len()).min_by_key(rank).unwrap_or(0)
}

/// All pairs of rows that satisfy some constraints on the variables of both.
fn joined(arena: &Arena, left: &List, right: &List, asked: &[Constraint], budget: &mut Budget) -> Result<List, Reason> {
    let most = (left.len() as u64).saturating_mul(right.len() as u64);
    let variables: Vec<VariableId> = left.variables.iter().chain(&right.variables).copied().collect();
    let mut kept = List { variables, rows: Vec::new() };
    let (words, others) = (left.variables.len(), right.variables.len());
    let pairs = (0..left.len()).flat_map(|a| (0..right.len()).map(move |b| (a, b)));
    let pairs = pairs.map(|(a, b)| (&left.rows[a * words..][..words], &right.rows[b * others..][..others]));
    if asked.is_empty() {
        if most > MOST_ROWS {
            return Err(Reason::Limit);
        }
        pairs.for_each(|(a, b)| kept.rows.extend(a.iter().chain(b)));
        return Ok(kept);
    }
    let exprs: Vec<Expr> = asked.iter().map(|constraint| constraint.expr).collect();
    let tape = Tape::of_truths(arena, &exprs, MOST_INSTRUCTIONS).map_err(|_| Reason::Inexpressible)?;
    if tape.calls().1 > 0 {
        return Err(Reason::Inexpressible);
    }
    budget.spend(&tape, most)?;
    // Where in a row the inputs of the tape are.
    let place = |variable: VariableId| kept.variables.iter().position(|known| *known == variable);
    let places: Option<Vec<usize>> = tape.inputs().iter().map(|input| place(input.variable)).collect();
    let places = places.ok_or(Reason::Inexpressible)?;
    let (inputs, results, width) = (tape.words(), tape.constraints(), kept.variables.len());
    let mut machine = Machine::new(Rc::new(tape));
    let (mut rows, mut points) = (Vec::with_capacity(AT_ONCE * width), Vec::with_capacity(AT_ONCE * inputs));
    let mut scores = vec![0.0; AT_ONCE * results];
    let mut gaps = scores.clone();
    let mut pairs = pairs.peekable();
    while pairs.peek().is_some() {
        budget.check()?;
        rows.clear();
        points.clear();
        for (a, b) in pairs.by_ref().take(AT_ONCE) {
            rows.extend(a.iter().chain(b).copied());
            let row = &rows[rows.len() - width..];
            points.extend(places.iter().map(|place| row[*place]));
        }
        let count = rows.len() / width;
        machine.run(&points, count, &mut scores[..count * results], &mut gaps[..count * results]);
        for (row, scores) in rows.chunks(width).zip(scores.chunks(results)) {
            if scores.iter().all(|score| *score == 0.0) {
                kept.rows.extend(row);
            }
        }
        if kept.len() as u64 > MOST_ROWS {
            return Err(Reason::Limit);
        }
    }
    Ok(kept)
}

impl Backend for Listing {
    fn name(&self) -> &'static str {
        "listing"
    }

    fn role(&self) -> Role {
        Role::Listing
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        self.core.clear();
        if self.generation != arena.generation() {
            self.known.clear();
            self.generation = arena.generation();
        }
        match self.decide(arena, constraints, limits) {
            Ok(Some(model)) => Answer::Sat(model),
            Ok(None) => Answer::Unsat,
            Err(reason) => Answer::Unknown(reason),
        }
    }

    fn core(&self) -> Option<Vec<Expr>> {
        Some(self.core.clone())
    }
}
