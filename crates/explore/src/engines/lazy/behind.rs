//! A goal on what a call leaves, from behind: the backward search of `reach` goes from the ends of the called function to its beginning, and finds
//! that no path leaves that, or which inputs do. It passes by what the goal does not depend on, and so needs not know all paths through a
//! function of which most differ in something else. What it finds is executed, and is a path through the function like any other.
//!
//! What it says that a call needs of the inputs is of use beyond the call: if no path leaves it so, the calls before are given paths that do, if they
//! can.
//!
//! It is asked when paths were looked at without success, with as much effort as they took, and at once where it had an answer before: so it costs little
//! more than the paths do, and much less where it is worth it.

use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::summary::Called;
use symcrete_exec::{Ended, Fork, Outcome, Question, State};
use symcrete_expr::dag::GatheredVariables;
use symcrete_expr::{Expr, Model};
use symcrete_ir::FuncId;

use super::Lazy;
use super::abstraction::Abstract;
use super::choice::Choice;
use super::concretise::{Together, go_own_way};
use super::expansion::{Shared, SharedKnown};
use crate::drive::onward::Onward;
use crate::drive::{Decide, SLICE, Step, drive};
use crate::engines::backward::Config;
use crate::engines::backward::within::{Came, Wanted, Within};
use crate::session::Session;

/// The result of asking.
pub enum Behind {
    /// No path through the call does for the goal.
    Nothing,
    /// This summary does, with these inputs.
    Summary(usize, Vec<Expr>, Rc<Model>),
    Unknown,
    Stopped,
}

/// What became of the goals on what a function leaves.
#[derive(Copy, Clone, Default)]
pub struct Asked {
    answered: u32,
    in_vain: u32,
}

/// What is looked at without success before it is asked for the first time, in paths and pieces of them; then each time twice as many.
const FIRST: usize = 16;

/// Steps of the search for each of them, questions for each step, and effort for each question: about a millisecond.
const STEPS: u64 = 2;
const QUESTIONS: u64 = 20;
const EFFORT: u64 = 1_000;

/// What it did not answer so often in a row, it will not.
const MOST_IN_VAIN: u32 = 3;

/// Of the numbers of fresh values, those for what the search does not know; of these, those of one search.
const NAMES: u32 = (1 << 31) | (0x7FE << 20);
const MOST_NAMES: u32 = 1 << 14;

/// Instructions of a call that is executed for a goal.
const MOST_STEPS: u64 = 1_000_000;

impl Lazy {
    /// Whether the goal of a choice is to be handed over, after all that was looked at for it.
    pub fn is_time_for_search(&self, choice: &Choice) -> bool {
        let asked = self.asked_behind.get(&choice.event.function).copied().unwrap_or_default();
        let can_be = !choice.event.ends && choice.known.borrow().is_shared && !choice.own.is_empty();
        let looked = choice.looked >= FIRST || asked.answered > 0;
        let is_more = choice.asked_behind.is_none_or(|before| choice.looked >= FIRST.max(2 * before));
        let is_new = is_more || choice.wish.is_some();
        can_be && looked && is_new && asked.in_vain < MOST_IN_VAIN
    }

    /// Looks from behind for a path through the call of a choice that does for its goal.
    pub fn search_from_behind(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        expansion: &Shared,
        stop: &mut dyn FnMut() -> bool,
    ) -> Behind {
        choice.asked_behind = Some(choice.looked);
        let came = self.look_behind(session, choice, expansion, choice.looked.max(FIRST) as u64 * STEPS, stop);
        let asked = self.asked_behind.entry(choice.event.function).or_default();
        match came {
            Behind::Nothing | Behind::Summary(..) => {
                (asked.answered, asked.in_vain) = (asked.answered + 1, 0);
                self.counts.answered_behind += 1;
            }
            Behind::Unknown => asked.in_vain += 1,
            Behind::Stopped => {}
        }
        came
    }

    fn look_behind(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        expansion: &Shared,
        steps: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Behind {
        let (image, graph) = (session.machine.executor.image.clone(), self.graph.clone());
        let mut config = Config::default();
        config.solver.limits.effort = EFFORT;
        config.solver.limits.interrupt = session.machine.chain.config().limits.interrupt.clone();
        let called = Called::new(&image, &session.machine.executor.config);
        // Only those cells that the goal speaks of.
        let results = choice.fresh.len() - choice.cells.len();
        let mut spoken_of = GatheredVariables::default();
        self.gather(&session.machine.executor.arena, &choice.own, &mut spoken_of);
        let mut is_spoken_of = |cell: &usize| {
            let set = self.variables.of(&session.machine.executor.arena, choice.fresh[results + cell].value);
            spoken_of.meets(self.variables.blocks(set))
        };
        let spoken: Vec<usize> = (0..choice.cells.len()).filter(&mut is_spoken_of).collect();
        if spoken.iter().any(|cell| choice.cells[*cell].is_array()) {
            return Behind::Unknown;
        }
        let cells = spoken.iter().map(|cell| &choice.cells[*cell]);
        let cells: Vec<(u64, u32)> = cells.map(|cell| (cell.address, cell.bytes)).collect();
        let wanted = Wanted {
            function: choice.event.function,
            cells: &cells,
            conditions: &choice.own,
            arena: &session.machine.executor.arena,
            number: choice.event.number,
        };
        let fresh = (0..results).chain(spoken.iter().map(|cell| results + cell)).map(|at| choice.fresh[at]);
        let fresh: Vec<_> = fresh.collect();
        let mut means = |arena: &mut _, left: &[Expr]| {
            let mut known = FxHashMap::default();
            for (fresh, value) in fresh.iter().zip(left) {
                fresh.mean(arena, *value, |variable, meaning| {
                    known.insert(variable, meaning);
                });
            }
            known
        };
        let within = Within::new(&image, &graph, config, called, self.config.is_whole, &wanted, &mut means);
        let Some(mut within) = within else { return Behind::Unknown };
        let mut inside = choice.real.path.clone();
        if session.machine.executor.enter_call(&mut inside.state).is_some() {
            return Behind::Unknown;
        }
        let (wish, names) = (choice.wish.take(), self.new_names());
        let mut has_begun = false;
        within.allow(steps * QUESTIONS);
        for _ in 0..steps {
            if stop() {
                return Behind::Stopped;
            }
            if within.is_over() {
                return Behind::Unknown;
            }
            self.spent += 1;
            match within.step() {
                Came::On => {}
                Came::GivenUp => return Behind::Unknown,
                Came::Nowhere => {
                    if !has_begun {
                        let goal = self.goal_in_context(session, choice);
                        expansion.borrow_mut().failed.insert(goal);
                    }
                    let own = choice.own.clone();
                    self.gather(&session.machine.executor.arena, &own, &mut choice.touched);
                    return Behind::Nothing;
                }
                Came::Beginning(goal) => {
                    has_begun = true;
                    let demanded = within.demanded(session, &mut inside, &goal, names.clone());
                    let Some(demanded) = demanded else {
                        within.leave_open(&goal);
                        continue;
                    };
                    self.gather(&session.machine.executor.arena, &[demanded], &mut choice.touched);
                    choice.needs = Some(demanded);
                    let mut conditions: Vec<Expr> = choice.others.iter().copied().chain([demanded]).collect();
                    let mut together = self.together_at(session, choice, &conditions);
                    if let (Together::Yes(_), Some(wish)) = (&together, wish) {
                        conditions.push(wish);
                        if let both @ Together::Yes(_) = self.together_at(session, choice, &conditions) {
                            together = both;
                        }
                    }
                    match together {
                        Together::No => within.refute(),
                        Together::Unknown => within.leave_open(&goal),
                        Together::Stopped => return Behind::Stopped,
                        Together::Yes(model) => match self.summary_with(session, choice, expansion, model, stop) {
                            Some((number, goal, model)) => return Behind::Summary(number, goal, model),
                            None => within.leave_open(&goal),
                        },
                    }
                }
            }
        }
        Behind::Unknown
    }

    /// Numbers for what a search does not know: two that are asked about together have none in common.
    fn new_names(&mut self) -> Range<u32> {
        self.names = (self.names + MOST_NAMES) % (1 << 20);
        NAMES + self.names..NAMES + self.names + MOST_NAMES
    }

    /// The path through the call of a choice that some inputs take, if it does for the goal.
    fn summary_with(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        expansion: &Shared,
        model: Rc<Model>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<(usize, Vec<Expr>, Rc<Model>)> {
        let known = choice.known.clone();
        let number = self.path_with(session, expansion, &known, model, stop)?;
        if number < choice.tried {
            return None;
        }
        let summary = known.borrow().summaries[number].clone();
        let goal = self.after(session, choice, &summary);
        match self.together_at(session, choice, &goal) {
            Together::Yes(model) => Some((number, goal, model)),
            _ => None,
        }
    }

    /// Executes a function as some inputs say, from its beginning to where it returns. The number of the summary of that.
    fn path_with(
        &mut self,
        session: &mut Session,
        expansion: &Shared,
        known: &SharedKnown,
        model: Rc<Model>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<usize> {
        let (begin, site, back_in) = {
            let expansion = expansion.borrow();
            (expansion.begin.clone(), expansion.site, expansion.back_in)
        };
        let mut path = begin.clone();
        path.model = model;
        let pauses = Pauses { back_in: Some(back_in), ..Pauses::default() };
        let limit = path.state.steps + MOST_STEPS;
        let mut concrete = Concrete { along: Abstract::new(path, 0), pauses, limit, stop };
        if !drive(session, &mut concrete) {
            return None;
        }
        let mut along = concrete.along;
        self.count_leaf(session);
        self.leaf(session, &mut along, &begin, &site, known).summary
    }
}

/// A path through a function, as its inputs lead; whether it comes to where the function returns.
struct Concrete<'a> {
    along: Abstract,
    pauses: Pauses,
    limit: u64,
    stop: &'a mut dyn FnMut() -> bool,
}

impl Concrete<'_> {
    fn go(&mut self, session: &mut Session, way: Onward) -> Step<bool> {
        let along = &mut self.along;
        let (condition, ended) = go_own_way(session, &mut along.path, way);
        condition.into_iter().for_each(|condition| along.met.push(&session.machine.executor.arena, condition));
        if ended.is_some() { ControlFlow::Break(false) } else { ControlFlow::Continue(()) }
    }
}

impl Decide for Concrete<'_> {
    type End = bool;

    fn running(&mut self) -> (&mut State, Option<&Pauses>) {
        (&mut self.along.path.state, Some(&self.pauses))
    }

    fn grant(&mut self, _: &mut Session) -> ControlFlow<bool, u64> {
        let is_over = (self.stop)() || self.along.path.state.steps > self.limit;
        if is_over { ControlFlow::Break(false) } else { ControlFlow::Continue(SLICE) }
    }

    fn executed(&mut self, session: &mut Session, _: u64, pause: Pause) -> ControlFlow<bool, Pause> {
        session.machine.executor.notes.clear();
        ControlFlow::Continue(pause)
    }

    fn fork(&mut self, session: &mut Session, fork: Fork) -> Step<bool> {
        self.go(session, Onward::Fork(fork))
    }

    fn ask(&mut self, session: &mut Session, question: Question) -> Step<bool> {
        self.go(session, Onward::Ask(question))
    }

    fn over(&mut self, _: &mut Session, _: Ended) -> Step<bool> {
        ControlFlow::Break(false)
    }

    fn call(&mut self, _: &mut Session, _: FuncId) -> ControlFlow<bool, Option<Outcome>> {
        ControlFlow::Break(false)
    }

    fn back(&mut self, _: &mut Session) -> Step<bool> {
        ControlFlow::Break(true)
    }
}
