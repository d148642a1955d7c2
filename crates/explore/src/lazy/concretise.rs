//! Concretisation (section 4 of the paper on lazy expansion): an abstract path becomes one of the program, call by call. The program is executed
//! along it with real states; where it comes to a call that was passed over, a path through the called function is taken (`expansion.rs`)
//! whose results and effects agree with all conditions of the rest: what was fresh is replaced by what that path leaves. Then the calls
//! on that path are next. If none agrees, the call before is given another path.
//!
//! The paper executes again for every attempt, because its stores know nothing of side effects (section 4.2). Here all that a call may change
//! is fresh, so that conditions behind it say all; and real states are kept with the calls before which they stand, so that what two
//! abstract paths have in common is executed once.

use std::cell::RefCell;
use std::rc::Rc;

use cranelift_entity::EntitySet;
use rustc_hash::FxHashMap;
use symcrete_exec::pause::{Pause, Pauses, Site};
use symcrete_exec::{Class, Ended, Fork, Outcome};
use symcrete_expr::dag::{GatheredVariables, Op, VariableId, substitute_next};
use symcrete_expr::{Expr, Model};
use symcrete_memory::Cell as Content;
use symcrete_solver::{Answer, Conditions, Reason};

use super::abstraction::{Abstract, Came, Event, Events, Prefix, Standing};
use super::effects::Cell;
use super::expansion::{Known, Leaf, Shared, SharedKnown};
use super::{Lazy, Lost};
use crate::forward::{Explorer, choose, decide, returned};
use crate::path::Path;

/// What fresh values turned out to be.
type Meanings = Rc<FxHashMap<Expr, Expr>>;

/// A real path before a call of an abstract path, and what the calls before it left.
pub struct Before {
    path: Path,
    meanings: Meanings,
}

/// A real path on its way.
#[derive(Clone)]
struct Real {
    path: Path,
    /// What must hold as well, and speaks of calls that are still to come.
    goal: Rc<Vec<Expr>>,
    /// Calls of expansions around the path that come next; the next one is the last. With how much deeper they are here than there.
    nested: Vec<(Rc<Event>, i64)>,
    /// The next call of the abstract path.
    top: usize,
    /// Calls under way that were passed over.
    open: Vec<Open>,
    meanings: Meanings,
}

/// A call under way.
#[derive(Clone)]
struct Open {
    event: Rc<Event>,
    known: SharedKnown,
    /// Conditions that the path met since.
    added: Vec<Expr>,
    /// Where it returns to.
    activation: u64,
    site: Site,
    cells: Vec<Cell>,
    /// What cells contained for which something else stands.
    former: Rc<Vec<Option<Vec<Content>>>>,
    /// Summaries that were tried in its place.
    tried: usize,
    is_top: bool,
}

/// A call that was passed over, in a real state, and which paths through it were tried.
struct Choice {
    /// Before the call.
    real: Real,
    event: Rc<Event>,
    is_top: bool,
    site: Site,
    cells: Vec<Cell>,
    known: SharedKnown,
    /// All paths through it; made when they are needed.
    expansion: Option<Shared>,
    /// Those of the conditions that speak of the results, and the others.
    own: Vec<Expr>,
    others: Vec<Expr>,
    stage: Stage,
    /// The summary that was taken at once, and how many were tried since.
    remembered: Option<usize>,
    tried: usize,
}

/// What is tried next.
#[derive(Copy, Clone)]
enum Stage {
    /// All paths as one.
    Merged,
    Remembered,
    Summary(usize),
    Leaf(usize),
    Over,
}

/// What is looked for: conditions with fresh values, the calls that these come from, and values for which the conditions hold.
pub struct Wanted {
    pub conditions: Vec<Expr>,
    pub events: Vec<Rc<Event>>,
    pub model: Rc<Model>,
    /// Whether the path is to be followed to its end.
    pub to_end: bool,
}

/// What came of an abstract path.
pub enum Concretised {
    Path(Box<Path>, Ended),
    /// A path of the program comes behind all of its calls.
    There,
    /// No path of the program takes it.
    Refuted,
    /// Nobody could tell.
    Open,
    /// Too many calls were given too many paths.
    Costly,
    Lost(Lost),
    Stopped,
}

/// What a real path came to.
enum Arrived {
    End(Box<Path>, Ended),
    /// Behind the last call.
    There,
    Call(Box<Choice>),
    /// Where it was before, or where it should not be.
    Again,
    Stopped,
}

/// Answers of a solver to whether conditions can hold together.
enum Together {
    Yes(Rc<Model>),
    No,
    Unknown,
    Stopped,
}

/// Calls that an abstract path may pass over before somebody looks whether the program does the same.
const IN_ADVANCE: usize = 3;

/// Calls that are given another path before all of their paths are taken as one, and how many paths that may be.
const PATIENCE: usize = 64;
const MOST_ENUMERATED: usize = 256;

/// What is done next.
enum Next {
    Run(Box<Real>),
    Choose,
}

impl Lazy {
    /// Looks for a path of the program that takes an abstract one, from a real path on; to its end, or only behind the last of its calls.
    pub fn concretise(
        &mut self,
        explorer: &mut Explorer,
        begin: &Path,
        wanted: &Wanted,
        stop: &mut dyn FnMut() -> bool,
    ) -> Concretised {
        let Wanted { conditions, events, model, .. } = wanted;
        // From where the latest of its calls was reached by another path; then from the beginning, in case that took a wrong turn.
        let known = events.iter().enumerate().rev().find_map(|(at, event)| Some((at, event.real.borrow().clone()?)));
        if let Some((at, before)) = known {
            let mut known = FxHashMap::clone(&before.meanings);
            let arena = &mut explorer.executor.arena;
            let rest = conditions[events[at].upto..].iter();
            let goal: Vec<Expr> = rest.map(|condition| substitute_next(arena, *condition, &mut known)).collect();
            let mut path = before.path.clone();
            path.model = with_fresh(explorer, &path.model, model);
            let meanings = before.meanings.clone();
            let real = Real { path, goal: Rc::new(goal), nested: Vec::new(), top: at, open: Vec::new(), meanings };
            match self.search(explorer, real, wanted, false, stop) {
                Concretised::Costly => {}
                Concretised::Refuted | Concretised::Open if at > 0 => {}
                came => return came,
            }
        }
        let mut path = begin.clone();
        path.model = with_fresh(explorer, &path.model, model);
        let (goal, meanings) = (Rc::new(conditions.clone()), Meanings::default());
        let real = Real { path, goal, nested: Vec::new(), top: 0, open: Vec::new(), meanings };
        match self.search(explorer, real.clone(), wanted, false, stop) {
            Concretised::Costly => self.search(explorer, real, wanted, true, stop),
            came => came,
        }
    }

    /// Whether a path of the program begins as an abstract one does up to a fork. `None` if nobody can tell.
    pub fn is_real(
        &mut self,
        explorer: &mut Explorer,
        begin: &Path,
        along: &Abstract,
        prefix: &Rc<Prefix>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<bool>, Concretised> {
        let mut conditions = in_order(&along.added);
        conditions.truncate(prefix.conditions);
        let (events, model) = (prefix.events.in_order(), along.path.model.clone());
        let wanted = Wanted { conditions, events, model, to_end: false };
        match self.concretise(explorer, begin, &wanted, stop) {
            Concretised::Path(..) | Concretised::There => {
                let taken = std::iter::successors(Some(prefix), |prefix| prefix.parent.as_ref());
                taken.for_each(|prefix| prefix.standing.set(Standing::Real));
                Ok(Some(true))
            }
            Concretised::Refuted => {
                prefix.standing.set(Standing::Dead);
                Ok(Some(false))
            }
            Concretised::Open | Concretised::Costly => Ok(None),
            other => Err(other),
        }
    }

    /// Searches from a real path on: with one path through each call after the other, or with all of them as one where they are few.
    fn search(
        &mut self,
        explorer: &mut Explorer,
        mut real: Real,
        wanted: &Wanted,
        merges: bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Concretised {
        match self.together(explorer, &real.path.conditions, &real.goal, &real.path.model) {
            Together::Yes(model) => real.path.model = model,
            Together::No => return Concretised::Refuted,
            Together::Unknown => return Concretised::Open,
            Together::Stopped => return Concretised::Stopped,
        }
        let mut is_open = false;
        let mut failures = 0;
        let mut trail: Vec<Choice> = Vec::new();
        let mut next = Next::Run(Box::new(real));
        loop {
            next = match next {
                Next::Run(real) => match self.run(explorer, *real, wanted, stop) {
                    Arrived::End(path, ended) => return Concretised::Path(path, ended),
                    Arrived::There => return Concretised::There,
                    Arrived::Call(mut choice) => {
                        if merges {
                            choice.stage = Stage::Merged;
                        }
                        trail.push(*choice);
                        Next::Choose
                    }
                    Arrived::Again => Next::Choose,
                    Arrived::Stopped => return Concretised::Stopped,
                },
                Next::Choose => {
                    let Some(choice) = trail.last_mut() else {
                        return if is_open { Concretised::Open } else { Concretised::Refuted };
                    };
                    match self.choose(explorer, choice, &mut is_open, stop) {
                        Ok(Some(real)) => Next::Run(Box::new(real)),
                        Ok(None) => {
                            trail.pop();
                            failures += 1;
                            if failures > PATIENCE && !merges {
                                return Concretised::Costly;
                            }
                            Next::Choose
                        }
                        Err(came) => return came,
                    }
                }
            };
        }
    }

    /// Takes the next path through the call of a choice with which all can hold. `None` if there is none.
    fn choose(
        &mut self,
        explorer: &mut Explorer,
        choice: &mut Choice,
        is_open: &mut bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Real>, Concretised> {
        let known = choice.known.clone();
        loop {
            match choice.stage {
                Stage::Merged => {
                    choice.stage = Stage::Remembered;
                    if choice.event.ends {
                        continue;
                    }
                    let Some(leaf) = self.merged(explorer, choice, stop) else { continue };
                    choice.stage = Stage::Over;
                    let goal = self.after(explorer, choice, &leaf);
                    match self.together_at(explorer, choice, &goal) {
                        Together::Yes(model) => {
                            return Ok(Some(self.take_summary(explorer, choice, &leaf, goal, model)));
                        }
                        Together::No => {}
                        Together::Unknown => *is_open = true,
                        Together::Stopped => return Err(Concretised::Stopped),
                    }
                }
                Stage::Over => return Ok(None),
                Stage::Remembered => {
                    choice.stage = Stage::Summary(0);
                    let remembered = known.borrow().goals.get(&choice.own).cloned();
                    if let Some((number, inputs)) = remembered.filter(|_| !choice.event.ends) {
                        let summary = known.borrow().summaries[number].clone();
                        if let Some(real) = self.take_remembered(explorer, choice, &summary, &inputs) {
                            choice.remembered = Some(number);
                            return Ok(Some(real));
                        }
                    }
                }
                Stage::Summary(number) => {
                    let Some(summary) = known.borrow().summaries.get(number).cloned() else {
                        choice.stage = Stage::Leaf(0);
                        continue;
                    };
                    choice.stage = Stage::Summary(number + 1);
                    choice.tried = number + 1;
                    if choice.event.ends || choice.remembered == Some(number) {
                        continue;
                    }
                    let goal = self.after(explorer, choice, &summary);
                    match self.together_at(explorer, choice, &goal) {
                        Together::Yes(model) => {
                            self.remember(explorer, choice, number, &summary, &model);
                            return Ok(Some(self.take_summary(explorer, choice, &summary, goal, model)));
                        }
                        Together::No => {}
                        Together::Unknown => *is_open = true,
                        Together::Stopped => return Err(Concretised::Stopped),
                    }
                }
                Stage::Leaf(number) => {
                    let expansion = match &choice.expansion {
                        Some(expansion) => expansion.clone(),
                        None => {
                            let (path, event) = (&choice.real.path, &choice.event);
                            self.expansion(explorer, path, event.function, event.level, &known)
                        }
                    };
                    choice.expansion = Some(expansion.clone());
                    if !choice.event.ends && number == 0 {
                        let goal = self.goal_in_context(explorer, choice);
                        if expansion.borrow().failed.contains(&goal) {
                            return Ok(None);
                        }
                    }
                    while expansion.borrow().leaves.len() <= number {
                        if !self.find_leaf(explorer, &expansion, &known, choice.event.level, stop)? {
                            *is_open |= expansion.borrow().is_open;
                            self.remember_failure(explorer, choice, &expansion);
                            return Ok(None);
                        }
                    }
                    choice.stage = Stage::Leaf(number + 1);
                    let leaf = expansion.borrow().leaves[number].clone();
                    if leaf.ends != choice.event.ends || leaf.summary.is_some_and(|summary| summary < choice.tried) {
                        continue;
                    }
                    let goal = self.after(explorer, choice, &leaf);
                    match self.together_at(explorer, choice, &goal) {
                        Together::Yes(model) if leaf.summary.is_some() => {
                            if let Some(number) = leaf.summary {
                                self.remember(explorer, choice, number, &leaf, &model);
                            }
                            return Ok(Some(self.take_summary(explorer, choice, &leaf, goal, model)));
                        }
                        Together::Yes(model) => match self.enter(explorer, choice, &expansion, &leaf, goal, model) {
                            Some(real) => return Ok(Some(real)),
                            None => *is_open = true,
                        },
                        Together::No => {}
                        Together::Unknown => *is_open = true,
                        Together::Stopped => return Err(Concretised::Stopped),
                    }
                }
            }
        }
    }

    fn together_at(&mut self, explorer: &mut Explorer, choice: &Choice, goal: &[Expr]) -> Together {
        self.together(explorer, &choice.real.path.conditions, goal, &choice.real.path.model)
    }

    /// Explores a called function up to the end of one more path. `false` if there is none.
    fn find_leaf(
        &mut self,
        explorer: &mut Explorer,
        expansion: &Shared,
        known: &SharedKnown,
        level: u32,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Concretised> {
        let back_in = Some(expansion.borrow().back_in);
        loop {
            let came = match self.ended_inside(level + 1) {
                Some((along, ended)) => Came::Ended(Box::new(along), ended),
                None => {
                    let Some(along) = expansion.borrow_mut().pending.pop_front() else { return Ok(false) };
                    let begin = expansion.borrow().begin.clone();
                    match self.is_worth_following(explorer, &begin, &along, stop) {
                        Ok(true) => {}
                        Ok(false) => continue,
                        Err(came) => {
                            expansion.borrow_mut().pending.push_front(along);
                            return Err(came);
                        }
                    }
                    self.advance(explorer, along, back_in, stop)
                }
            };
            match came {
                Came::Forked(ways) => expansion.borrow_mut().pending.extend(ways),
                Came::Back(mut along) => {
                    self.count_leaf(explorer);
                    let site = expansion.borrow().site;
                    let leaf = self.leaf(explorer, &mut along, &site, known);
                    expansion.borrow_mut().leaves.push(Rc::new(leaf));
                    return Ok(true);
                }
                Came::Ended(along, ended) => {
                    self.count_leaf(explorer);
                    if along.events.len() == 0 && ended.class() == Class::Finding {
                        // The program goes wrong inside the call, whatever was to come behind it.
                        self.report_inside(explorer, &along, &ended);
                    }
                    if ended.class() == Class::Limit {
                        expansion.borrow_mut().is_open = true;
                    } else if ended != Ended::Discarded {
                        let (added, events) = (in_order(&along.met), along.events.in_order());
                        let leaf = Leaf { added, outputs: Vec::new(), events, ends: true, summary: None };
                        expansion.borrow_mut().leaves.push(Rc::new(leaf));
                        return Ok(true);
                    }
                }
                Came::Lost(lost) => return Err(Concretised::Lost(lost)),
                Came::Undecided => expansion.borrow_mut().is_open = true,
                Came::Stopped(along) => {
                    expansion.borrow_mut().pending.push_front(*along);
                    return Err(Concretised::Stopped);
                }
            }
        }
    }

    /// A path through a function came back. If it passed over no calls it is complete, and is remembered at once.
    fn leaf(&mut self, explorer: &mut Explorer, along: &mut Abstract, site: &Site, known: &SharedKnown) -> Leaf {
        let outputs = outputs(explorer, &mut along.path, site, &known.borrow().cells);
        let (added, events) = (in_order(&along.met), along.events.in_order());
        let is_complete = events.is_empty() && outputs.iter().all(Option::is_some) && known.borrow().is_contained;
        let mut leaf = Leaf { added, outputs, events, ends: false, summary: None };
        if is_complete {
            let same = Leaf { added: leaf.added.clone(), outputs: leaf.outputs.clone(), ..Leaf::default() };
            leaf.summary = Some(Lazy::sum_up(known, same));
        }
        leaf
    }

    /// Explores a function without passing over what it calls, if it has few paths in a context: then the numbers of all of them, as
    /// summaries.
    fn enumerate(
        &mut self,
        explorer: &mut Explorer,
        expansion: &Shared,
        known: &SharedKnown,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<usize>> {
        if !known.borrow().is_contained {
            return None;
        }
        if let Some(done) = &expansion.borrow().enumerated {
            return done.clone();
        }
        let (begin, site, back_in) = {
            let expansion = expansion.borrow();
            (expansion.begin.clone(), expansion.site, expansion.back_in)
        };
        let (added, met, events) = (Conditions::new(), Conditions::new(), Events::default());
        let level = u32::MAX >> 21;
        let mut pending = vec![Abstract { path: begin.clone(), added, met, events, level, prefix: None }];
        let candidates = std::mem::replace(&mut self.paused, Rc::new(EntitySet::new()));
        let mut found = Vec::new();
        let mut is_all = true;
        while let Some(along) = pending.pop() {
            match self.advance(explorer, along, Some(back_in), stop) {
                Came::Forked(ways) => pending.extend(ways),
                Came::Back(mut along) => {
                    self.count_leaf(explorer);
                    match self.leaf(explorer, &mut along, &site, known).summary {
                        Some(summary) => found.push(summary),
                        None => is_all = false,
                    }
                }
                Came::Ended(_, ended) => {
                    self.count_leaf(explorer);
                    is_all &= ended.class() != Class::Limit;
                }
                _ => is_all = false,
            }
            is_all &= found.len() <= MOST_ENUMERATED;
            if !is_all {
                break;
            }
        }
        self.ended.retain(|(along, _)| along.level != level);
        self.paused = candidates;
        let enumerated = is_all.then_some(found);
        if !stop() {
            expansion.borrow_mut().enumerated = Some(enumerated.clone());
        }
        enumerated
    }

    /// All paths through a call as one, which says with choices what it leaves. `None` if they are too many.
    fn merged(&mut self, explorer: &mut Explorer, choice: &mut Choice, stop: &mut dyn FnMut() -> bool) -> Option<Leaf> {
        let known = choice.known.clone();
        let (path, event) = (&choice.real.path, &choice.event);
        let expansion = self.expansion(explorer, path, event.function, event.level, &known);
        let numbers = self.enumerate(explorer, &expansion, &known, stop)?;
        let mut merged: Option<(Expr, Vec<Expr>)> = None;
        for number in numbers {
            let summary = known.borrow().summaries[number].clone();
            let outputs: Vec<Expr> = summary.outputs.iter().copied().collect::<Option<_>>()?;
            let arena = &mut explorer.executor.arena;
            let mut condition = arena.boolean(true);
            for added in &summary.added {
                condition = arena.binary(Op::And, condition, *added);
            }
            merged = Some(match merged {
                None => (condition, outputs),
                Some((others, before)) => {
                    let both = outputs.iter().zip(&before);
                    let chosen = both.map(|(output, before)| arena.ite(condition, *output, *before)).collect();
                    (arena.binary(Op::Or, condition, others), chosen)
                }
            });
        }
        let (condition, outputs) = merged?;
        Some(Leaf { added: vec![condition], outputs: outputs.into_iter().map(Some).collect(), ..Leaf::default() })
    }

    /// Whether an abstract path may still be one of the program's: looked at only when it has passed over several calls on its own account.
    pub fn is_worth_following(
        &mut self,
        explorer: &mut Explorer,
        begin: &Path,
        along: &Abstract,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, Concretised> {
        if along.is_dead() {
            return Ok(false);
        }
        match &along.prefix {
            Some(prefix) if along.in_advance() > IN_ADVANCE && prefix.standing.get() == Standing::Unknown => {
                Ok(self.is_real(explorer, begin, along, prefix, stop)? != Some(false))
            }
            _ => Ok(true),
        }
    }

    /// Paths that ended where others went on: only those of the exploration under way are there.
    fn ended_inside(&mut self, level: u32) -> Option<(Abstract, Ended)> {
        self.ended.pop_if(|(along, _)| along.level == level)
    }

    fn count_leaf(&mut self, explorer: &mut Explorer) {
        self.counts.expansions += 1;
        explorer.counts.iterations += 1;
    }

    /// A called function goes wrong. What it was called in is a real path, if nothing was left out of its conditions.
    fn report_inside(&mut self, explorer: &mut Explorer, along: &Abstract, ended: &Ended) {
        self.report(explorer, &along.path, ended);
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

    /// What must hold once a call has gone along a path through its function.
    fn after(&mut self, explorer: &mut Explorer, choice: &mut Choice, leaf: &Leaf) -> Vec<Expr> {
        let mut known = self.meanings_of(explorer, choice, leaf);
        let arena = &mut explorer.executor.arena;
        let mut conditions: Vec<Expr> = Vec::with_capacity(choice.own.len() + choice.others.len() + leaf.added.len());
        for condition in &choice.own {
            conditions.push(substitute_next(arena, *condition, &mut known));
        }
        conditions.retain(|condition| arena.as_word(*condition) != Some(1));
        conditions.extend(&leaf.added);
        conditions.extend(&choice.others);
        conditions
    }

    /// What the fresh values of a call are on a path through its function.
    fn meanings_of(&mut self, explorer: &mut Explorer, choice: &mut Choice, leaf: &Leaf) -> FxHashMap<Expr, Expr> {
        let mut known = FxHashMap::default();
        let results = choice.event.fresh.len() - choice.cells.len();
        for (at, (fresh, output)) in choice.event.fresh.iter().zip(&leaf.outputs).enumerate() {
            let Some(output) = *output else { continue };
            let placeholder = at.checked_sub(results).and_then(|cell| choice.known.borrow().placeholders[cell]);
            let meaning = match placeholder {
                Some(placeholder) if placeholder == output => {
                    let cell = choice.cells[at - results];
                    let state = &mut choice.real.path.state;
                    explorer.executor.contents(state, cell.address, (cell.bytes * 8) as u16)
                }
                _ => Some(output),
            };
            if let Some(meaning) = meaning {
                known.insert(*fresh, meaning);
            }
        }
        known
    }

    /// A goal was reached by a complete path.
    fn remember(&mut self, explorer: &Explorer, choice: &Choice, number: usize, leaf: &Leaf, model: &Rc<Model>) {
        let arena = &explorer.executor.arena;
        let mut inputs = Model::default();
        for condition in leaf.added.iter().chain(&choice.own) {
            let set = self.variables.of(arena, *condition);
            for variable in self.variables.variables(set) {
                if let Some(bits) = model.get(variable).filter(|_| !is_fresh(arena, variable)) {
                    inputs.set(variable, bits.clone());
                }
            }
        }
        choice.known.borrow_mut().goals.insert(choice.own.clone(), (number, Rc::new(inputs)));
    }

    /// What did for the same goal before does again, if the inputs that did agree with all the rest.
    fn take_remembered(
        &mut self,
        explorer: &mut Explorer,
        choice: &mut Choice,
        leaf: &Leaf,
        inputs: &Rc<Model>,
    ) -> Option<Real> {
        let mut model = Model::clone(&choice.real.path.model);
        model.merge(inputs);
        let model = Rc::new(model);
        let goal = self.after(explorer, choice, leaf);
        let arena = &explorer.executor.arena;
        let mut changed = GatheredVariables::default();
        for (variable, _) in inputs.values() {
            changed.add(&[(variable.as_u32() / 64, 1 << (variable.as_u32() % 64))]);
        }
        let conditions = choice.real.path.conditions.iter();
        let mut all = conditions.filter(|condition| {
            let set = self.variables.of(arena, *condition);
            changed.meets(self.variables.blocks(set))
        });
        let mut holds = |condition: Expr| !explorer.chain.evaluate(arena, &model, condition).is_zero();
        let all_hold = all.all(&mut holds) && goal.iter().all(|condition| holds(*condition));
        all_hold.then(|| self.take_summary(explorer, choice, leaf, goal, model))
    }

    /// No path does for a goal: if that has nothing to do with the rest, no other attempt will.
    fn remember_failure(&mut self, explorer: &mut Explorer, choice: &mut Choice, expansion: &Shared) {
        if !choice.known.borrow().is_contained || expansion.borrow().is_open || choice.event.ends {
            return;
        }
        let leaves = expansion.borrow().leaves.clone();
        let conditions = expansion.borrow().conditions.clone();
        let others = std::mem::take(&mut choice.others);
        let fails = leaves.iter().filter(|leaf| !leaf.ends).all(|leaf| {
            let goal = self.after(explorer, choice, leaf);
            let model = choice.real.path.model.clone();
            matches!(self.together(explorer, &conditions, &goal, &model), Together::No)
        });
        choice.others = others;
        if fails {
            let goal = self.goal_in_context(explorer, choice);
            expansion.borrow_mut().failed.insert(goal);
        }
    }

    /// What a goal on the results of a call means: its conditions, and what was in cells that the call may leave as they are.
    fn goal_in_context(&mut self, explorer: &mut Explorer, choice: &mut Choice) -> Vec<Expr> {
        let mut goal = choice.own.clone();
        for (cell, placeholder) in choice.cells.iter().zip(&choice.known.borrow().placeholders) {
            if placeholder.is_some() {
                let bits = (cell.bytes * 8) as u16;
                goal.extend(explorer.executor.contents(&mut choice.real.path.state, cell.address, bits));
            }
        }
        goal
    }

    /// A call is passed by a complete path that is known.
    fn take_summary(
        &mut self,
        explorer: &mut Explorer,
        choice: &mut Choice,
        leaf: &Leaf,
        goal: Vec<Expr>,
        model: Rc<Model>,
    ) -> Real {
        self.counts.reused += 1;
        let known = self.meanings_of(explorer, choice, leaf);
        let mut real = choice.real.clone();
        let results = choice.event.fresh.len() - choice.cells.len();
        for (fresh, cell) in choice.event.fresh[results..].iter().zip(&choice.cells) {
            if let Some(meaning) = known.get(fresh) {
                let written = real.path.state.memory.write_expr(cell.address, *meaning, cell.bytes);
                debug_assert!(written.is_ok(), "a cell of a call can be written");
            }
        }
        let values = choice.event.fresh[..results].iter().map(|fresh| known.get(fresh).copied().unwrap_or(*fresh));
        explorer.executor.skip_call(&mut real.path.state, values.collect());
        for condition in &leaf.added {
            real.path.conditions.push(&explorer.executor.arena, *condition);
            real.open.iter_mut().for_each(|open| open.added.push(*condition));
        }
        real.path.is_pieced = true;
        real.path.model = model;
        real.goal = Rc::new(goal);
        if choice.is_top {
            real.top += 1;
            Rc::make_mut(&mut real.meanings).extend(known);
        }
        real
    }

    /// A call is entered, to be executed along a path through its function. `None` if it cannot be.
    fn enter(
        &mut self,
        explorer: &mut Explorer,
        choice: &mut Choice,
        expansion: &Shared,
        leaf: &Leaf,
        goal: Vec<Expr>,
        model: Rc<Model>,
    ) -> Option<Real> {
        let mut real = choice.real.clone();
        real.path.model = model;
        real.goal = Rc::new(goal);
        let expansion = expansion.borrow();
        let mut former = Vec::new();
        for (cell, placeholder) in choice.cells.iter().zip(&choice.known.borrow().placeholders) {
            let mut contents = Vec::new();
            let Some(placeholder) = placeholder else {
                former.push(None);
                continue;
            };
            let memory = &mut real.path.state.memory;
            memory.read_cells(cell.address, u64::from(cell.bytes), &mut contents).ok()?;
            memory.write_expr(cell.address, *placeholder, cell.bytes).ok()?;
            former.push(Some(contents));
        }
        let activation = explorer.executor.activation(&real.path.state);
        if explorer.executor.enter_call(&mut real.path.state).is_some() {
            return None;
        }
        let deeper = i64::from(choice.site.depth) - i64::from(expansion.site.depth);
        real.nested.extend(leaf.events.iter().rev().map(|event| (event.clone(), deeper)));
        if choice.is_top {
            real.top += 1;
        }
        real.open.push(Open {
            event: choice.event.clone(),
            known: choice.known.clone(),
            added: Vec::new(),
            activation,
            site: choice.site,
            cells: choice.cells.clone(),
            former: Rc::new(former),
            tried: choice.tried,
            is_top: choice.is_top,
        });
        Some(real)
    }

    /// A call returned that was passed over: what it left is known, and a complete path through its function. `false` if that was tried
    /// before as a summary.
    fn leave(&mut self, explorer: &mut Explorer, real: &mut Real) -> bool {
        let Some(open) = real.open.pop() else { return true };
        let path = &mut real.path;
        let mut outputs = outputs(explorer, path, &open.site, &open.cells);
        let is_contained = open.known.borrow().is_contained;
        if is_contained && outputs.iter().all(Option::is_some) {
            let (added, outputs, events) = (open.added, outputs.clone(), Vec::new());
            let leaf = Leaf { added, outputs, events, ends: false, summary: None };
            if Lazy::sum_up(&open.known, leaf) < open.tried {
                return false;
            }
        }
        let results = outputs.len() - open.cells.len();
        for (at, cell) in open.cells.iter().enumerate() {
            let Some(contents) = &open.former[at] else { continue };
            if outputs[results + at] == open.known.borrow().placeholders[at] {
                let written = path.state.memory.write_cells(cell.address, contents);
                debug_assert!(written.is_ok(), "a cell of a call can be written");
                outputs[results + at] =
                    explorer.executor.contents(&mut path.state, cell.address, (cell.bytes * 8) as u16);
            }
        }
        if open.is_top {
            let known = open.event.fresh.iter().zip(&outputs).filter_map(|(fresh, output)| Some((*fresh, (*output)?)));
            Rc::make_mut(&mut real.meanings).extend(known);
        }
        true
    }

    /// Runs a real path as its model says, up to a call that was passed over, or to its end.
    fn run(
        &mut self,
        explorer: &mut Explorer,
        mut real: Real,
        wanted: &Wanted,
        stop: &mut dyn FnMut() -> bool,
    ) -> Arrived {
        let events = &wanted.events;
        let mut pauses = Pauses { functions: self.candidates.clone(), back_in: None };
        loop {
            if stop() {
                return Arrived::Stopped;
            }
            let is_behind = real.top == events.len() && real.nested.is_empty();
            if is_behind && real.open.is_empty() && !wanted.to_end {
                return Arrived::There;
            }
            pauses.back_in = real.open.last().map(|open| open.activation);
            let path = &mut real.path;
            let before = path.state.steps;
            let pause = explorer.executor.run_pausing(&mut path.state, 100_000, &pauses);
            explorer.counts.instructions += path.state.steps - before;
            explorer.note(path);
            let outcome = match pause {
                Pause::Outcome(outcome) => outcome,
                Pause::Back => {
                    if !self.leave(explorer, &mut real) {
                        return Arrived::Again;
                    }
                    continue;
                }
                Pause::Call(function) => {
                    let site = explorer.executor.call_site(&path.state);
                    let is_top = real.nested.is_empty();
                    let next = match real.nested.last() {
                        Some((event, deeper)) => Some((event.clone(), *deeper)),
                        None => events.get(real.top).map(|event| (event.clone(), 0)),
                    };
                    let is_met = |(event, deeper): &(Rc<Event>, i64)| {
                        let depth = i64::from(event.site.depth) + deeper;
                        event.function == function && Site { depth: depth as u32, ..event.site } == site
                    };
                    match next.filter(is_met) {
                        Some((event, _)) => {
                            real.nested.pop();
                            return Arrived::Call(Box::new(self.choice(explorer, real, event, is_top, site)));
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
                Outcome::Fork(fork) => go(explorer, &mut real, &fork, None),
                Outcome::Ask(question) => {
                    path.count_proposal();
                    let bits = explorer.chain.evaluate(&explorer.executor.arena, &path.model, question.value).low_u64();
                    let bits = explorer.executor.answer(&question, bits);
                    let fork = explorer.executor.propose(&path.state, &question, bits);
                    go(explorer, &mut real, &fork, Some(bits))
                }
            };
            if let Some(ended) = ended {
                return if is_behind { Arrived::End(Box::new(real.path), ended) } else { Arrived::Again };
            }
        }
    }

    /// A real path stands before a call that was passed over.
    fn choice(&mut self, explorer: &mut Explorer, real: Real, event: Rc<Event>, is_top: bool, site: Site) -> Choice {
        if is_top && event.real.borrow().is_none() {
            let before = Before { path: real.path.clone(), meanings: real.meanings.clone() };
            *event.real.borrow_mut() = Some(Rc::new(before));
        }
        let mut known = self.known(explorer, &real.path, event.function);
        // Its objects may have other addresses here than on the abstract path.
        let has_same_shape = |cells: &[Cell]| {
            cells.len() == event.cells.len()
                && cells.iter().zip(&event.cells).all(|(left, right)| left.bytes == right.bytes)
        };
        let is_same = has_same_shape(&known.borrow().cells);
        if !is_same {
            known = Rc::new(RefCell::new(Known::nothing(event.cells.clone())));
        }
        let cells = known.borrow().cells.clone();
        let arena = &explorer.executor.arena;
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for condition in real.goal.iter() {
            let set = self.variables.of(arena, *condition);
            let speaks =
                self.variables.variables(set).any(|variable| arena.variables()[variable].input == event.number);
            if speaks { own.push(*condition) } else { others.push(*condition) }
        }
        Choice {
            real,
            event,
            is_top,
            site,
            cells,
            known,
            expansion: None,
            own,
            others,
            stage: Stage::Remembered,
            remembered: None,
            tried: 0,
        }
    }
}

/// What a call left behind which a path stands: its results, and what is in cells.
fn outputs(explorer: &mut Explorer, path: &mut Path, site: &Site, cells: &[Cell]) -> Vec<Option<Expr>> {
    let mut outputs = explorer.executor.results(&path.state, site);
    for cell in cells {
        outputs.push(explorer.executor.contents(&mut path.state, cell.address, (cell.bytes * 8) as u16));
    }
    outputs
}

/// Goes the way that the model of a path says.
fn go(explorer: &mut Explorer, real: &mut Real, fork: &Fork, proposal: Option<u64>) -> Option<Ended> {
    let path = &mut real.path;
    let own = explorer.own_way(path, fork);
    let alternative = &fork.alternatives[own];
    decide(&mut path.decisions, proposal, own, true);
    path.conditions.push(&explorer.executor.arena, alternative.condition);
    path.depth += 1;
    real.open.iter_mut().for_each(|open| open.added.push(alternative.condition));
    explorer.executor.proceed(&mut path.state, &alternative.then)
}

fn is_fresh(arena: &symcrete_expr::Arena, variable: VariableId) -> bool {
    arena.variables()[variable].input >> 31 != 0
}

/// A model, with the fresh values of another one.
fn with_fresh(explorer: &Explorer, model: &Rc<Model>, other: &Rc<Model>) -> Rc<Model> {
    let arena = &explorer.executor.arena;
    let mut model = Model::clone(model);
    for (variable, bits) in other.values().filter(|(variable, _)| is_fresh(arena, *variable)) {
        model.set(variable, bits.clone());
    }
    Rc::new(model)
}

/// The oldest first.
pub fn in_order(conditions: &Conditions) -> Vec<Expr> {
    let mut list: Vec<Expr> = conditions.iter().collect();
    list.reverse();
    list
}
