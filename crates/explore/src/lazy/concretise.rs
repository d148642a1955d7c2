//! Concretisation (section 4 of the paper on lazy expansion): an abstract path becomes one of the program, call by call. The program is executed
//! along it with real states; where it comes to a call that was passed over, the paths through the called function are explored, abstract
//! again, and one is taken whose results and effects agree with all conditions of the rest: what was fresh is replaced by what that path
//! leaves. Then the calls on that path are next. If none agrees, the call before is given another path.
//!
//! The paper executes again for every attempt, because its stores know nothing of side effects (section 4.2). Here all that a call may change
//! is fresh, so that conditions behind it say all, and states are kept: what two abstract paths have in common is executed once.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::pause::{Pause, Pauses};
use symcrete_exec::{Class, Ended, Fork, Outcome};
use symcrete_expr::dag::substitute;
use symcrete_expr::{Expr, Model};
use symcrete_solver::{Answer, Conditions, Reason};

use super::abstraction::{Abstract, Came, Event, Events};
use super::effects::Cell;
use super::{Lazy, Lost};
use crate::forward::{Explorer, choose, decide, returned};
use crate::path::Path;

/// A path through a called function, with calls of its own passed over.
pub struct Leaf {
    /// What must hold for it.
    added: Vec<Expr>,
    /// What it leaves for the fresh values of its call; `None` for what nobody wrote.
    outputs: Vec<Option<Expr>>,
    events: Vec<Rc<Event>>,
    /// The program ends on it.
    ends: bool,
}

/// A call that was passed over, in a real state, and the path through it that was chosen.
pub struct Choice {
    /// Before the call.
    path: Path,
    event: Rc<Event>,
    cells: Vec<Cell>,
    /// The call of the abstract path to which it belongs, by its place in the order of those.
    top: usize,
    level: u32,
    /// Calls of expansions around this one that come behind it; the next one is the last.
    nested: Vec<Rc<Event>>,
    leaves: Vec<Rc<Leaf>>,
    pending: VecDeque<Abstract>,
    /// The leaf that was chosen, and who comes next if it does not do.
    chosen: usize,
    first: Option<usize>,
    next: usize,
    /// What must hold, as far as it is known here; made when it is needed.
    goal: Option<Rc<Vec<Expr>>>,
}

/// A real path on its way.
struct Real {
    path: Path,
    goal: Rc<Vec<Expr>>,
    nested: Vec<Rc<Event>>,
    /// The next call of the abstract path.
    top: usize,
}

/// What came of an abstract path.
pub enum Concretised {
    Path(Box<Path>, Ended),
    /// No path of the program takes it.
    Refuted,
    /// Nobody could tell.
    Open,
    Lost(Lost),
    Stopped,
}

/// What a real path came to.
enum Arrived {
    End(Path, Ended),
    Call(Box<Choice>),
    Stopped,
}

/// Answers of a solver to whether conditions can hold together.
enum Together {
    Yes(Rc<Model>),
    No,
    Unknown,
    Stopped,
}

/// What is done next.
enum Next {
    Run(Box<Real>),
    Choose,
}

impl Lazy {
    /// Looks for a path of the program that takes an abstract one: its conditions, and the calls that it passed over.
    pub fn concretise(
        &mut self,
        explorer: &mut Explorer,
        goal: Vec<Expr>,
        events: &[Rc<Event>],
        stop: &mut dyn FnMut() -> bool,
    ) -> Concretised {
        let goal = Rc::new(goal);
        self.keep_common_choices(events);
        let mut is_open = false;
        let mut next = match self.trail.last_mut() {
            Some(last) => {
                last.first = Some(last.chosen);
                last.next = 0;
                Next::Choose
            }
            None => {
                let mut path = Path::new(explorer.roots()[0].clone(), 0);
                match self.together(explorer, &Conditions::new(), &goal, &Rc::default()) {
                    Together::Yes(model) => {
                        path.model = model;
                        Next::Run(Box::new(Real { path, goal: goal.clone(), nested: Vec::new(), top: 0 }))
                    }
                    Together::No => return Concretised::Refuted,
                    Together::Unknown => return Concretised::Open,
                    Together::Stopped => return Concretised::Stopped,
                }
            }
        };
        loop {
            next = match next {
                Next::Run(real) => match self.run(explorer, *real, events, stop) {
                    Arrived::End(path, ended) => return Concretised::Path(Box::new(path), ended),
                    Arrived::Call(choice) => {
                        self.trail.push(*choice);
                        Next::Choose
                    }
                    Arrived::Stopped => return Concretised::Stopped,
                },
                Next::Choose => {
                    if self.trail.is_empty() {
                        return if is_open { Concretised::Open } else { Concretised::Refuted };
                    }
                    match self.choose(explorer, &goal, &mut is_open, stop) {
                        Ok(Some(real)) => Next::Run(Box::new(real)),
                        Ok(None) => {
                            self.trail.pop();
                            if let Some(last) = self.trail.last_mut() {
                                // Its own choice has failed.
                                last.first = last.first.filter(|first| *first != last.chosen);
                            }
                            Next::Choose
                        }
                        Err(came) => return came,
                    }
                }
            };
        }
    }

    /// Choices that belong to calls which the abstract path has in common with the one before stay.
    fn keep_common_choices(&mut self, events: &[Rc<Event>]) {
        let common = self.trail_events.iter().zip(events).take_while(|(left, right)| Rc::ptr_eq(left, right)).count();
        let kept = self.trail.iter().take_while(|choice| choice.top < common).count();
        self.trail.truncate(kept);
        for choice in &mut self.trail {
            choice.goal = None;
            choice.first = None;
            choice.next = 0;
        }
        self.trail_events = events.to_vec();
    }

    /// What must hold at a choice.
    fn goal_at(&mut self, explorer: &mut Explorer, at: usize, goal: &Rc<Vec<Expr>>) -> Rc<Vec<Expr>> {
        if let Some(known) = &self.trail[at].goal {
            return known.clone();
        }
        let found = match at {
            0 => goal.clone(),
            _ => {
                let before = self.goal_at(explorer, at - 1, goal);
                let choice = &self.trail[at - 1];
                let leaf = choice.leaves[choice.chosen].clone();
                let event = choice.event.clone();
                Rc::new(after(explorer, &before, &event, &leaf))
            }
        };
        self.trail[at].goal = Some(found.clone());
        found
    }

    /// Takes the next path through the call of the last choice with which all can hold. `None` if there is none.
    fn choose(
        &mut self,
        explorer: &mut Explorer,
        goal: &Rc<Vec<Expr>>,
        is_open: &mut bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Real>, Concretised> {
        let at = self.trail.len() - 1;
        let before = self.goal_at(explorer, at, goal);
        loop {
            let choice = &mut self.trail[at];
            let number = match choice.first.take() {
                Some(first) => first,
                None => {
                    choice.next += 1;
                    choice.next - 1
                }
            };
            while self.trail[at].leaves.len() <= number {
                if !self.find_leaf(explorer, at, is_open, stop)? {
                    return Ok(None);
                }
            }
            let choice = &self.trail[at];
            let leaf = choice.leaves[number].clone();
            if leaf.ends != choice.event.ends {
                continue;
            }
            let event = choice.event.clone();
            let new_goal = after(explorer, &before, &event, &leaf);
            let (conditions, model) = (choice.path.conditions.clone(), choice.path.model.clone());
            match self.together(explorer, &conditions, &new_goal, &model) {
                Together::Yes(model) => {
                    let choice = &mut self.trail[at];
                    choice.chosen = number;
                    let mut path = choice.path.clone();
                    path.model = model;
                    let mut nested = choice.nested.clone();
                    nested.extend(leaf.events.iter().rev().cloned());
                    let top = choice.top + 1;
                    // The called function is entered: what stops it there is its end.
                    if explorer.executor.enter_call(&mut path.state).is_some() {
                        *is_open = true;
                        continue;
                    }
                    return Ok(Some(Real { path, goal: Rc::new(new_goal), nested, top }));
                }
                Together::No => {}
                Together::Unknown => *is_open = true,
                Together::Stopped => return Err(Concretised::Stopped),
            }
        }
    }

    /// Explores the called function of a choice up to the end of one more path. `false` if there is none.
    fn find_leaf(
        &mut self,
        explorer: &mut Explorer,
        at: usize,
        is_open: &mut bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Concretised> {
        let back_in = Some(explorer.executor.activation(&self.trail[at].path.state));
        loop {
            let came = match self.ended_inside(at) {
                Some((along, ended)) => Came::Ended(along, ended),
                None => match self.trail[at].pending.pop_front() {
                    Some(along) => self.advance(explorer, along, back_in, stop),
                    None => return Ok(false),
                },
            };
            match came {
                Came::Forked(ways) => {
                    let level = self.trail[at].level + 1;
                    debug_assert!(ways.iter().all(|way| way.level == level));
                    self.trail[at].pending.extend(ways);
                }
                Came::Back(along) => {
                    let leaf = self.leaf(explorer, at, along);
                    self.trail[at].leaves.push(Rc::new(leaf));
                    return Ok(true);
                }
                Came::Ended(along, ended) => {
                    self.count_leaf(explorer);
                    let added = in_order(&along.added);
                    let is_real = along.events.len() == 0;
                    if is_real && ended.class() == Class::Finding {
                        // The program goes wrong inside the call, whatever was to come behind it.
                        self.report(explorer, &along.path, &ended);
                    }
                    let ends = ended.class() != Class::Limit && ended != Ended::Discarded;
                    *is_open |= ended.class() == Class::Limit;
                    if ends {
                        let leaf = Leaf { added, outputs: Vec::new(), events: along.events.in_order(), ends };
                        self.trail[at].leaves.push(Rc::new(leaf));
                        return Ok(true);
                    }
                }
                Came::Lost(lost) => return Err(Concretised::Lost(lost)),
                Came::Undecided => *is_open = true,
                Came::Stopped(along) => {
                    self.trail[at].pending.push_front(along);
                    return Err(Concretised::Stopped);
                }
            }
        }
    }

    /// Paths that ended where others went on: only those of the exploration under way are there.
    fn ended_inside(&mut self, at: usize) -> Option<(Abstract, Ended)> {
        let level = self.trail[at].level + 1;
        let last = self.ended.last()?;
        if last.0.level == level { self.ended.pop() } else { None }
    }

    fn count_leaf(&mut self, explorer: &mut Explorer) {
        self.counts.expansions += 1;
        explorer.counts.iterations += 1;
    }

    fn leaf(&mut self, explorer: &mut Explorer, at: usize, mut along: Abstract) -> Leaf {
        self.count_leaf(explorer);
        let choice = &self.trail[at];
        let mut outputs = explorer.executor.results(&along.path.state, &choice.event.site);
        for cell in &choice.cells {
            let bits = (cell.bytes * 8) as u16;
            outputs.push(explorer.executor.contents(&mut along.path.state, cell.address, bits));
        }
        Leaf { added: in_order(&along.added), outputs, events: along.events.in_order(), ends: false }
    }

    /// Whether conditions can hold beside those of a path, and inputs for which they do. The model satisfies those of the path.
    fn together(
        &mut self,
        explorer: &mut Explorer,
        conditions: &Conditions,
        goal: &[Expr],
        model: &Rc<Model>,
    ) -> Together {
        let arena = &mut explorer.executor.arena;
        if goal.iter().any(|condition| arena.as_word(*condition) == Some(0)) {
            return Together::No;
        }
        let mut conditions = conditions.clone();
        let mut model = model.clone();
        // Those that hold already first: they keep what was found before.
        let mut left = Vec::new();
        for condition in goal {
            match explorer.chain.evaluate(arena, &model, *condition).is_zero() {
                true => left.push(*condition),
                false => conditions.push(arena, *condition),
            }
        }
        for condition in left {
            if explorer.chain.evaluate(arena, &model, condition).is_zero() {
                match explorer.chain.check(arena, &conditions, condition, &model) {
                    Answer::Sat(found) => model = Rc::new(found),
                    Answer::Unsat => return Together::No,
                    Answer::Unknown(Reason::Interrupted) => return Together::Stopped,
                    Answer::Unknown(_) => return Together::Unknown,
                }
            }
            conditions.push(arena, condition);
        }
        Together::Yes(model)
    }

    /// Runs a real path as its model says, up to a call that was passed over, or to its end.
    fn run(
        &mut self,
        explorer: &mut Explorer,
        mut real: Real,
        events: &[Rc<Event>],
        stop: &mut dyn FnMut() -> bool,
    ) -> Arrived {
        let pauses = Pauses { functions: self.candidates.clone(), back_in: None };
        loop {
            if stop() {
                return Arrived::Stopped;
            }
            let path = &mut real.path;
            let before = path.state.steps;
            let pause = explorer.executor.run_pausing(&mut path.state, 100_000, &pauses);
            explorer.counts.instructions += path.state.steps - before;
            explorer.note(path);
            let outcome = match pause {
                Pause::Outcome(outcome) => outcome,
                Pause::Back => continue,
                Pause::Call(function) => {
                    let is_nested = !real.nested.is_empty();
                    let event = real.nested.last().or_else(|| events.get(real.top)).cloned();
                    let site = explorer.executor.call_site(&path.state);
                    match event.filter(|event| event.function == function && event.site == site) {
                        Some(event) => {
                            if is_nested {
                                real.nested.pop();
                            }
                            return Arrived::Call(Box::new(self.choice(explorer, real, event, is_nested)));
                        }
                        None => match explorer.executor.enter_call(&mut path.state) {
                            Some(outcome) => outcome,
                            None => continue,
                        },
                    }
                }
            };
            let ended = match outcome {
                Outcome::Continue => None,
                Outcome::Branch { condition, choices } => {
                    explorer.flag(&path.state, &condition);
                    if let Some(choice) = choose(&choices, condition.low_word()) {
                        explorer.executor.take(&mut path.state, choice.edge);
                    }
                    None
                }
                Outcome::Resolve { register, value } => {
                    explorer.flag(&path.state, &value);
                    explorer.executor.resolve(&mut path.state, register, value.low_word());
                    None
                }
                Outcome::Return(values) => Some(returned(&values)),
                Outcome::Ended(ended) => Some(ended),
                Outcome::Fork(fork) => go(explorer, path, &fork, None),
                Outcome::Ask(question) => {
                    path.count_proposal();
                    let bits = explorer.chain.evaluate(&explorer.executor.arena, &path.model, question.value).low_u64();
                    let bits = explorer.executor.answer(&question, bits);
                    let fork = explorer.executor.propose(&path.state, &question, bits);
                    go(explorer, path, &fork, Some(bits))
                }
            };
            if let Some(ended) = ended {
                return Arrived::End(real.path, ended);
            }
        }
    }

    /// A real path stands before a call that was passed over.
    fn choice(&mut self, explorer: &mut Explorer, real: Real, event: Rc<Event>, is_nested: bool) -> Choice {
        let Real { path, goal, nested, top } = real;
        let cells = self.real_cells(explorer, &path, &event);
        let level = event.level;
        let mut inside = path.clone();
        let mut pending = VecDeque::new();
        if explorer.executor.enter_call(&mut inside.state).is_none() {
            pending.push_back(Abstract {
                path: inside,
                added: Conditions::new(),
                events: Events::default(),
                level: level + 1,
            });
        }
        Choice {
            path,
            event,
            cells,
            top: if is_nested { top.saturating_sub(1) } else { top },
            level,
            nested,
            leaves: Vec::new(),
            pending,
            chosen: 0,
            first: None,
            next: 0,
            goal: Some(goal),
        }
    }

    /// Where a call changes what the abstract path has fresh values for: its objects may have other addresses here.
    fn real_cells(&mut self, explorer: &Explorer, path: &Path, event: &Event) -> Vec<Cell> {
        let found = self.effects.cells(&explorer.executor, &path.state, event.function, &[]);
        let has_same_shape = |cells: &Vec<Cell>| {
            cells.len() == event.cells.len() && cells.iter().zip(&event.cells).all(|(left, right)| left.bytes == right.bytes)
        };
        found.filter(has_same_shape).unwrap_or_else(|| event.cells.clone())
    }
}

/// Goes the way that the model of a path says.
fn go(explorer: &mut Explorer, path: &mut Path, fork: &Fork, proposal: Option<u64>) -> Option<Ended> {
    let own = explorer.own_way(path, fork);
    let alternative = &fork.alternatives[own];
    decide(&mut path.decisions, proposal, own, true);
    path.conditions.push(&explorer.executor.arena, alternative.condition);
    path.depth += 1;
    explorer.executor.proceed(&mut path.state, &alternative.then)
}

/// What must hold once a call has gone along a path through its function.
fn after(explorer: &mut Explorer, goal: &[Expr], event: &Event, leaf: &Leaf) -> Vec<Expr> {
    let arena = &mut explorer.executor.arena;
    let known = event.fresh.iter().zip(&leaf.outputs).filter_map(|(fresh, output)| Some((*fresh, (*output)?)));
    let known: FxHashMap<Expr, Expr> = known.collect();
    let replaced = goal.iter().map(|condition| substitute(arena, *condition, &known));
    let mut conditions: Vec<Expr> = replaced.collect();
    conditions.extend(&leaf.added);
    conditions.retain(|condition| arena.as_word(*condition) != Some(1));
    conditions
}

/// The oldest first.
pub fn in_order(conditions: &Conditions) -> Vec<Expr> {
    let mut list: Vec<Expr> = conditions.iter().collect();
    list.reverse();
    list
}
