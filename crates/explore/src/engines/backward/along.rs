//! A trace, followed forward with inputs of which nothing is fixed: its branches are conditions for the solvers, with memory resolved. Where
//! the trace says nothing, in loops and in what was skipped, the path goes both ways as one if it can, or else where the inputs lead with
//! which it began; if that comes to nothing, the last such place is gone another way, a few times.

use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use symcrete_exec::guide::Fit;
use symcrete_exec::inputs::{self, Input};
use symcrete_exec::{Fork, Outcome as Execution, State, Then};
use symcrete_expr::{Bits, Expr, Model};
use symcrete_solver::{Answer, Conditions};

use crate::drive::onward::choose;
use crate::local_search::candidate::Candidate;
use crate::report;
use crate::session::Session;

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
pub fn solve(session: &mut Session, fits: &[Fit], run: &State, budget: u64, stop: &AtomicBool) -> Solved {
    let given: Vec<Input> = run.inputs.list().into_iter().cloned().collect();
    let model = Rc::new(model_of(session, &given));
    let Some(state) = session.machine.roots.first().cloned() else { return Solved::Nothing };
    let limit = state.steps + budget;
    let mut way = Way { state, conditions: Conditions::new(), model, deferred: Vec::new(), passed: 0 };
    let mut pinned: Vec<Pinned> = Vec::new();
    let mut pins = 0;
    let mut returns = 0;
    session.machine.executor.restart_guide();
    loop {
        if way.state.steps > limit || pins > MOST_PINNED || stop.load(Ordering::Relaxed) {
            return Solved::Nothing;
        }
        if session.machine.executor.guide_passed() >= fits.len() {
            return inputs_of(session, way);
        }
        if !advance(session, &mut way, &mut pinned, &mut pins) {
            if pins == 0 {
                return Solved::Never;
            }
            match go_back(session, &mut pinned, &mut returns) {
                Some(other) => way = other,
                None => return Solved::Nothing,
            }
        }
    }
}

/// One step of a path; whether it goes on.
fn advance(session: &mut Session, way: &mut Way, pinned: &mut Vec<Pinned>, pins: &mut usize) -> bool {
    let outcome = session.machine.executor.run(&mut way.state, 100_000);
    session.machine.executor.notes.clear();
    way.passed = session.machine.executor.guide_passed();
    // A branch that hangs on no input may have gone another way than the trace.
    if session.machine.executor.guide_distances()[..way.passed].iter().any(|distance| *distance > 0.0) {
        return false;
    }
    let (fork, demanded) = match outcome {
        Execution::Continue => return true,
        Execution::Branch { condition, choices } => {
            let Some(choice) = choose(&choices, condition.low_word()) else { return false };
            session.machine.executor.take(&mut way.state, choice.edge);
            return true;
        }
        Execution::Resolve { register, value } => {
            session.machine.executor.resolve(&mut way.state, register, value.low_word());
            return true;
        }
        Execution::Return(_) | Execution::Ended(_) => return false,
        Execution::Ask(question) => {
            let bits =
                session.machine.chain.evaluate(&session.machine.executor.arena, &way.model, question.value).low_u64();
            let bits = session.machine.executor.answer(&question, bits);
            (session.machine.executor.propose(&way.state, &question, bits), None)
        }
        Execution::Fork(fork) => {
            let demanded = session.machine.executor.guide_demands(&way.state);
            if demanded.is_none() && session.machine.executor.join(&mut way.state, &fork) {
                return true;
            }
            (fork, demanded)
        }
    };
    let wanted = demanded.filter(|fit| !fit.in_loop).and_then(|fit| {
        let body = session.machine.executor.image.body(fit.side.function);
        let to = body.edges[fit.side.edge].target;
        fork.alternatives.iter().position(|one| matches!(one.then, Then::Edge(edge) if body.edges[edge].target == to))
    });
    if let Some(at) = wanted {
        return take(session, way, &fork, at);
    }
    // Where the inputs lead; but not to the end of the path.
    let holds = |at: &usize| {
        let condition = fork.alternatives[*at].condition;
        !session.machine.chain.evaluate(&session.machine.executor.arena, &way.model, condition).is_zero()
    };
    let own = (0..fork.alternatives.len()).find(holds);
    let goes_on = |at: &usize| !matches!(fork.alternatives[*at].then, Then::End(_) | Then::Fault { .. });
    let mut left: Vec<usize> =
        (0..fork.alternatives.len()).filter(|at| Some(*at) != own && goes_on(at)).rev().collect();
    left.extend(own.filter(goes_on));
    *pins += 1;
    if pinned.len() == MOST_PLACES {
        pinned.remove(0);
    }
    pinned.push(Pinned { before: way.clone(), fork, left });
    match next_way(session, pinned) {
        Some(next) => {
            *way = next;
            true
        }
        None => false,
    }
}

/// The path goes another way where it last could, if it has not done so too often.
fn go_back(session: &mut Session, pinned: &mut Vec<Pinned>, returns: &mut usize) -> Option<Way> {
    *returns += 1;
    if *returns > MOST_RETURNS {
        return None;
    }
    next_way(session, pinned)
}

/// The next way from the last place from which there is one.
fn next_way(session: &mut Session, pinned: &mut Vec<Pinned>) -> Option<Way> {
    while let Some(place) = pinned.last_mut() {
        let Some(at) = place.left.pop() else {
            pinned.pop();
            continue;
        };
        let mut way = place.before.clone();
        let fork = place.fork.clone();
        session.machine.executor.rewind_guide(way.passed);
        if take(session, &mut way, &fork, at) {
            return Some(way);
        }
    }
    None
}

/// Takes one way of a fork, if inputs can.
fn take(session: &mut Session, way: &mut Way, fork: &Fork, at: usize) -> bool {
    let alternative = &fork.alternatives[at];
    let arena = &mut session.machine.executor.arena;
    if !session.machine.chain.evaluate(arena, &way.model, alternative.condition).is_zero() {
        way.conditions.push(arena, alternative.condition);
    } else {
        match session.machine.chain.check(arena, &way.conditions, alternative.condition, &way.model) {
            Answer::Sat(better) => {
                way.model = Rc::new(better);
                way.conditions.push(arena, alternative.condition);
            }
            Answer::Unsat => return false,
            Answer::Unknown(_) => way.deferred.push(alternative.condition),
        }
    }
    if let Then::Edge(edge) = alternative.then {
        session.machine.executor.guide_takes(&way.state, edge);
        way.passed = session.machine.executor.guide_passed();
    }
    session.machine.executor.proceed(&mut way.state, &alternative.then).is_none()
}

/// The inputs of a path that went along all of the trace.
fn inputs_of(session: &mut Session, mut way: Way) -> Solved {
    if !way.deferred.is_empty() {
        let all: Vec<Expr> = way.conditions.iter().chain(way.deferred).collect();
        match session.machine.chain.solve(&mut session.machine.executor.arena, &all) {
            Answer::Sat(better) => way.model = Rc::new(better),
            Answer::Unsat => return Solved::Nothing,
            Answer::Unknown(_) => {}
        }
    }
    let given = report::inputs(&mut session.machine.executor, &way.state, &way.model);
    Solved::Inputs(Candidate::of_test(0, &given))
}

/// The values that a run was given.
fn model_of(session: &mut Session, given: &[Input]) -> Model {
    let arena = &mut session.machine.executor.arena;
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
