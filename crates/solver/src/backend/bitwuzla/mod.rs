//! Bitwuzla as a backend: all operations but calls and `fmod`, which are left open; so `Unsat` is exact always, and a model may
//! fail where the query has these, or looks at the bits of a NaN (`Backend::doubt`).
//!
//! Two solvers share the terms. One keeps the constraints of the last query on a stack of levels and goes on from what the next
//! query has in common with it, without preprocessing. The other is made for one query, with preprocessing.

mod floats;
mod footprint;
mod plain;
mod root;
mod translate;

use std::rc::Rc;
use std::time::Instant;

use rustc_hash::FxHashMap;
use symcrete_bitwuzla::{ArrayValue, Context, Limits as SolverLimits, Options, Outcome, Solver, Stop, Term};
use symcrete_expr::dag::{ArrayModel, Op};
use symcrete_expr::{Arena, Bits, Expr, Model};

use super::Backend;
use crate::answer::{Answer, Limits, Reason};
use footprint::{Footprint, Footprints, worse};
use translate::{Translator, View};

/// Units of effort for each time the solver asks whether to stop: it asks some 30,000 times a second.
const EFFORT_PER_POLL: u64 = 30;
/// With more terms than this, everything is begun anew.
const MOST_TERMS: usize = 1_000_000;
/// The part of the effort that the solver with the stack gets before the other one is tried.
const FIRST_SHARE: u64 = 4;

/// What was popped stays in the SAT solver and is in its way. A solver that saw this many times the constraints of a query, and
/// some more, is replaced.
const WORN_FACTOR: usize = 2;
const WORN_LEAST: usize = 16;

/// How queries are solved.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// On the stack first, then by itself if that takes long.
    #[default]
    Both,
    /// Only on the stack of the last query.
    Incremental,
    /// Each query by itself.
    Single,
}

#[derive(Default)]
pub struct Bitwuzla {
    mode: Mode,
    generation: u32,
    translator: Translator,
    footprints: Footprints,
    stack: Option<Stack>,
    doubt: Option<Reason>,
}

/// A solver and what is asserted in it, one constraint a level.
struct Stack {
    solver: Solver,
    constraints: Vec<Expr>,
    /// How many constraints it ever saw.
    seen: usize,
}

/// A constraint ready to be asserted.
struct Prepared {
    expr: Expr,
    term: Term,
    footprint: Rc<Footprint>,
}

impl Bitwuzla {
    pub fn new(mode: Mode) -> Bitwuzla {
        Bitwuzla { mode, ..Bitwuzla::default() }
    }

    fn forget(&mut self, generation: u32) {
        *self = Bitwuzla { mode: self.mode, generation, ..Bitwuzla::default() };
    }

    fn prepare(&mut self, arena: &Arena, constraints: &[Expr]) -> Vec<Prepared> {
        let prepare = |expr: &Expr| {
            let term = self.translator.constraint(arena, *expr);
            let footprint = self.footprints.of(arena, &self.translator, *expr);
            Prepared { expr: *expr, term, footprint }
        };
        constraints.iter().map(prepare).collect()
    }

    /// Ends the solver with the stack; the next query makes a new one.
    fn drop_stack(&mut self) {
        if let Some(stack) = self.stack.take() {
            self.translator.context.delete_solver(stack.solver);
        }
    }

    fn check_on_stack(&mut self, arena: &Arena, query: &[Prepared], limits: SolverLimits) -> Answer {
        if self.stack.as_ref().is_some_and(|stack| stack.seen > WORN_FACTOR * query.len() + WORN_LEAST) {
            self.drop_stack();
        }
        let context = &mut self.translator.context;
        let stack = self.stack.get_or_insert_with(|| Stack {
            solver: context.new_solver(Options { preprocess: false, ..Options::default() }),
            constraints: Vec::new(),
            seen: 0,
        });
        let common = stack.constraints.iter().zip(query).take_while(|(old, new)| **old == new.expr).count();
        let surplus = stack.constraints.len() - common;
        if surplus > 0 {
            context.pop(stack.solver, surplus);
            stack.constraints.truncate(common);
        }
        for constraint in &query[common..] {
            context.push(stack.solver);
            assert_constraint(context, stack.solver, constraint);
            stack.constraints.push(constraint.expr);
            stack.seen += 1;
        }
        let solver = stack.solver;
        let answer = self.check_solver(arena, solver, query, limits);
        if matches!(answer, Answer::Unknown(_)) {
            // What it learnt on the way did not help; the next query should not carry it.
            self.drop_stack();
        }
        answer
    }

    fn check_by_itself(&mut self, arena: &Arena, query: &[Prepared], limits: SolverLimits) -> Answer {
        let solver = self.translator.context.new_solver(Options::default());
        for constraint in query {
            assert_constraint(&mut self.translator.context, solver, constraint);
        }
        let answer = self.check_solver(arena, solver, query, limits);
        self.translator.context.delete_solver(solver);
        answer
    }

    fn check_solver(&mut self, arena: &Arena, solver: Solver, query: &[Prepared], limits: SolverLimits) -> Answer {
        match self.translator.context.check(solver, &[], limits) {
            Outcome::Satisfiable => {
                self.doubt = query.iter().fold(None, |doubt, constraint| worse(doubt, constraint.footprint.doubt));
                Answer::Sat(self.model(arena, solver, query))
            }
            Outcome::Unsatisfiable => Answer::Unsat,
            Outcome::Stopped(Stop::Interrupt) => Answer::Unknown(Reason::Interrupted),
            Outcome::Stopped(Stop::Polls | Stop::Deadline | Stop::Unknown) => Answer::Unknown(Reason::Limit),
        }
    }

    fn model(&mut self, arena: &Arena, solver: Solver, query: &[Prepared]) -> Model {
        let mut model = Model::default();
        for expr in query.iter().flat_map(|constraint| &constraint.footprint.variables) {
            let node = arena.node(*expr);
            // Only variables are in the list.
            let Some(variable) = arena.variable_of(*expr) else { continue };
            // One that stands only below what was left open has no term, and may be anything.
            let Some(term) = self.translator.known(*expr, View::Plain) else { continue };
            let context = &mut self.translator.context;
            if node.op == Op::Variable {
                if model.get(variable).is_none() {
                    model.set(variable, Bits::from_limbs(node.width, &context.bits_value(solver, term)));
                }
            } else if model.array(variable).is_none() {
                model.set_array(variable, array_model(&context.array_value(solver, term), node.b, node.width));
            }
        }
        model
    }
}

/// Whether all effort would be spent before the first decision: operations are made gates first, which nothing interrupts.
fn is_too_large(query: &[Prepared], effort: u64) -> bool {
    let most: u64 = query.iter().map(|constraint| constraint.footprint.effort).sum();
    if most <= effort {
        return false;
    }
    // Constraints share operations.
    let all: FxHashMap<Expr, u64> =
        query.iter().flat_map(|constraint| constraint.footprint.operations.iter().copied()).collect();
    all.values().sum::<u64>() > effort
}

fn assert_constraint(context: &mut Context, solver: Solver, constraint: &Prepared) {
    for definition in &constraint.footprint.definitions {
        context.assert(solver, *definition);
    }
    context.assert(solver, constraint.term);
}

fn array_model(value: &ArrayValue, index_width: u32, width: u32) -> ArrayModel {
    let default = Bits::from_limbs(width, &value.default);
    let mut array = ArrayModel { default, entries: Default::default() };
    for (index, element) in &value.entries {
        let (index, element) = (Bits::from_limbs(index_width, index), Bits::from_limbs(width, element));
        array.entries.entry(index).or_insert(element);
    }
    array
}

impl Backend for Bitwuzla {
    fn name(&self) -> &'static str {
        "bitwuzla"
    }

    fn check(&mut self, arena: &mut Arena, constraints: &[Expr], limits: &Limits) -> Answer {
        self.doubt = None;
        if arena.generation() != self.generation || self.translator.context.term_count() > MOST_TERMS {
            self.forget(arena.generation());
        }
        if limits.interrupted() {
            return Answer::Unknown(Reason::Interrupted);
        }
        let deadline = Instant::now().checked_add(limits.time);
        let query = self.prepare(arena, constraints);
        if is_too_large(&query, limits.effort) {
            return Answer::Unknown(Reason::Limit);
        }
        let limited = |effort: u64| SolverLimits {
            polls: Some(effort / EFFORT_PER_POLL),
            deadline,
            interrupt: Some(limits.interrupt.clone()),
        };
        match self.mode {
            Mode::Incremental => self.check_on_stack(arena, &query, limited(limits.effort)),
            Mode::Single => self.check_by_itself(arena, &query, limited(limits.effort)),
            Mode::Both => {
                let first = limits.effort / FIRST_SHARE;
                match self.check_on_stack(arena, &query, limited(first)) {
                    Answer::Unknown(Reason::Limit) => {
                        self.check_by_itself(arena, &query, limited(limits.effort - first))
                    }
                    answer => answer,
                }
            }
        }
    }

    fn doubt(&self) -> Option<Reason> {
        self.doubt
    }
}
