//! A trace, followed forward with inputs of which nothing is fixed: its branches are conditions for the solvers, with memory resolved. Where
//! the trace says nothing, in loops and in what was skipped, the path goes both ways as one if it can, or else where the inputs lead with
//! which it began; if that comes to nothing, the last such place is gone another way, a few times.

use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use symcrete_exec::guide::Fit;
use symcrete_exec::inputs::{self, Input};
use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Ended, Fork, Outcome, Question, State, Then};
use symcrete_expr::{Bits, Expr, Model};
use symcrete_solver::{Answer, Conditions};

use crate::drive::{Decide, SLICE, Step, drive};
use crate::local_search::candidate::Candidate;
use crate::report;
use crate::session::machine::Machine;

/// What the solvers say of a trace.
pub enum Solved {
    Inputs(Candidate),
    /// No inputs go along it.
    Never,
    /// None of those that were tried; or nobody knows.
    Nothing,
}

/// How often a path goes another way, and from how many places that can be.
const MOST_RETURNS: usize = 32;
const MOST_PLACES: usize = 64;
/// Places where a path may go one way of several by its inputs.
const MOST_PINNED: usize = 1_000;

/// A path on the way.
#[derive(Clone)]
struct Way {
    state: State,
    conditions: Conditions,
    model: Rc<Model>,
    /// What nobody could decide.
    deferred: Vec<Expr>,
    /// Branches of the trace that it has passed.
    passed: usize,
}

/// Where a path went one way of several, by its inputs alone.
struct Pinned {
    before: Way,
    fork: Fork,
    left: Vec<usize>,
}

/// Looks for inputs that go along a trace, for which the executor has a guide; they begin as those of a run.
pub fn solve(machine: &mut Machine, fits: &[Fit], run: &State, budget: u64, stop: &AtomicBool) -> Solved {
    let given: Vec<Input> = run.inputs.list().into_iter().cloned().collect();
    let model = Rc::new(model_of(machine, &given));
    let Some(state) = machine.roots.first().cloned() else { return Solved::Nothing };
    let limit = state.steps + budget;
    let way = Way { state, conditions: Conditions::new(), model, deferred: Vec::new(), passed: 0 };
    let mut along = Along { fits: fits.len(), way, limit, pinned: Vec::new(), pins: 0, returns: 0, stop };
    machine.executor.restart_guide();
    match drive(machine, &mut along) {
        Came::Along => inputs_of(machine, along.way),
        Came::Never => Solved::Never,
        Came::Nothing => Solved::Nothing,
    }
}

/// A path along a trace.
struct Along<'a> {
    /// Branches of the trace.
    fits: usize,
    way: Way,
    limit: u64,
    pinned: Vec<Pinned>,
    pins: usize,
    returns: usize,
    stop: &'a AtomicBool,
}

enum Came {
    /// To the end of the trace.
    Along,
    Never,
    Nothing,
}

impl Along<'_> {
    /// The path cannot go on here.
    fn turn_back(&mut self, machine: &mut Machine) -> Step<Came> {
        if self.pins == 0 {
            return ControlFlow::Break(Came::Never);
        }
        match go_back(machine, &mut self.pinned, &mut self.returns) {
            Some(other) => {
                self.way = other;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(Came::Nothing),
        }
    }

    fn go(&mut self, machine: &mut Machine, goes_on: bool) -> Step<Came> {
        if goes_on { ControlFlow::Continue(()) } else { self.turn_back(machine) }
    }

    /// Takes the way that the trace demands, or else one where the inputs lead; whether the path goes on.
    fn cross(&mut self, machine: &mut Machine, fork: Fork, demanded: Option<Fit>) -> bool {
        let way = &mut self.way;
        let wanted = demanded.filter(|fit| !fit.in_loop).and_then(|fit| {
            let body = machine.executor.image.body(fit.side.function);
            let to = body.edges[fit.side.edge].target;
            fork.alternatives
                .iter()
                .position(|one| matches!(one.then, Then::Edge(edge) if body.edges[edge].target == to))
        });
        if let Some(at) = wanted {
            return take(machine, way, &fork, at);
        }
        // Where the inputs lead; but not to the end of the path.
        let holds = |at: &usize| {
            let condition = fork.alternatives[*at].condition;
            !machine.chain.evaluate(&machine.executor.arena, &way.model, condition).is_zero()
        };
        let own = (0..fork.alternatives.len()).find(holds);
        let goes_on = |at: &usize| !matches!(fork.alternatives[*at].then, Then::End(_) | Then::Fault { .. });
        let mut left: Vec<usize> =
            (0..fork.alternatives.len()).filter(|at| Some(*at) != own && goes_on(at)).rev().collect();
        left.extend(own.filter(goes_on));
        self.pins += 1;
        if self.pinned.len() == MOST_PLACES {
            self.pinned.remove(0);
        }
        self.pinned.push(Pinned { before: way.clone(), fork, left });
        match next_way(machine, &mut self.pinned) {
            Some(next) => {
                *way = next;
                true
            }
            None => false,
        }
    }
}

impl Decide<Machine> for Along<'_> {
    type End = Came;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.way.state, None)
    }

    fn grant(&mut self, machine: &mut Machine) -> ControlFlow<Came, u64> {
        if self.way.state.steps > self.limit || self.pins > MOST_PINNED || self.stop.load(Ordering::Relaxed) {
            return ControlFlow::Break(Came::Nothing);
        }
        match machine.executor.guide_passed() >= self.fits {
            true => ControlFlow::Break(Came::Along),
            false => ControlFlow::Continue(SLICE),
        }
    }

    fn executed(&mut self, machine: &mut Machine, _: u64, pause: Pause) -> ControlFlow<Came, Pause> {
        machine.executor.notes.clear();
        self.way.passed = machine.executor.guide_passed();
        // A branch that depends on no input may have gone another way than the trace.
        if machine.executor.guide_distances()[..self.way.passed].iter().any(|distance| *distance > 0.0) {
            self.turn_back(machine)?;
            return ControlFlow::Continue(Pause::Outcome(Outcome::Continue));
        }
        ControlFlow::Continue(pause)
    }

    fn fork(&mut self, machine: &mut Machine, fork: Fork) -> Step<Came> {
        let demanded = machine.executor.guide_demands(&self.way.state);
        if demanded.is_none() && machine.executor.join(&mut self.way.state, &fork) {
            return ControlFlow::Continue(());
        }
        let goes_on = self.cross(machine, fork, demanded);
        self.go(machine, goes_on)
    }

    fn ask(&mut self, machine: &mut Machine, question: Question) -> Step<Came> {
        let way = &mut self.way;
        let bits = machine.chain.evaluate(&machine.executor.arena, &way.model, question.value).low_u64();
        let bits = machine.executor.answer(&question, bits);
        let fork = machine.executor.propose(&way.state, &question, bits);
        let goes_on = self.cross(machine, fork, None);
        self.go(machine, goes_on)
    }

    fn over(&mut self, machine: &mut Machine, _: Ended) -> Step<Came> {
        self.turn_back(machine)
    }
}

/// The path goes another way where it last could, if it has not done so too often.
fn go_back(machine: &mut Machine, pinned: &mut Vec<Pinned>, returns: &mut usize) -> Option<Way> {
    *returns += 1;
    if *returns > MOST_RETURNS {
        return None;
    }
    next_way(machine, pinned)
}

/// The next way from the last place from which there is one.
fn next_way(machine: &mut Machine, pinned: &mut Vec<Pinned>) -> Option<Way> {
    while let Some(place) = pinned.last_mut() {
        let Some(at) = place.left.pop() else {
            pinned.pop();
            continue;
        };
        let mut way = place.before.clone();
        let fork = place.fork.clone();
        machine.executor.rewind_guide(way.passed);
        if take(machine, &mut way, &fork, at) {
            return Some(way);
        }
    }
    None
}

/// Takes one way of a fork, if inputs can.
fn take(machine: &mut Machine, way: &mut Way, fork: &Fork, at: usize) -> bool {
    let alternative = &fork.alternatives[at];
    let arena = &mut machine.executor.arena;
    if !machine.chain.evaluate(arena, &way.model, alternative.condition).is_zero() {
        way.conditions.push(arena, alternative.condition);
    } else {
        match machine.chain.check(arena, &way.conditions, alternative.condition, &way.model) {
            Answer::Sat(better) => {
                way.model = Rc::new(better);
                way.conditions.push(arena, alternative.condition);
            }
            Answer::Unsat => return false,
            Answer::Unknown(_) => way.deferred.push(alternative.condition),
        }
    }
    if let Then::Edge(edge) = alternative.then {
        machine.executor.guide_takes(&way.state, edge);
        way.passed = machine.executor.guide_passed();
    }
    machine.executor.proceed(&mut way.state, &alternative.then).is_none()
}

/// The inputs of a path that went along all of the trace.
fn inputs_of(machine: &mut Machine, mut way: Way) -> Solved {
    if !way.deferred.is_empty() {
        let all: Vec<Expr> = way.conditions.iter().chain(way.deferred).collect();
        match machine.chain.solve(&mut machine.executor.arena, &all) {
            Answer::Sat(better) => way.model = Rc::new(better),
            Answer::Unsat => return Solved::Nothing,
            Answer::Unknown(_) => {}
        }
    }
    let given = report::inputs(&mut machine.executor, &way.state, &way.model);
    Solved::Inputs(Candidate::of_test(0, &given))
}

/// The values that a run was given.
fn model_of(machine: &mut Machine, given: &[Input]) -> Model {
    let arena = &mut machine.executor.arena;
    let mut model = Model::default();
    for input in given {
        let Some(content) = &input.content else { continue };
        for (offset, expr) in inputs::variables(arena, input) {
            let width = arena.width(expr);
            let bytes = &content[offset as usize..];
            let mut word = [0u8; 16];
            let count = (width as usize / 8).min(bytes.len()).min(16);
            word[..count].copy_from_slice(&bytes[..count]);
            if let Some(id) = arena.variable_of(expr) {
                model.set(id, Bits::from_u128(width, u128::from_le_bytes(word)));
            }
        }
    }
    model
}
