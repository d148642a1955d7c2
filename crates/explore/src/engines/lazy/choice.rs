//! A call that was passed over, met by a real path: which paths through its function are tried, in which order, and what becomes of the path
//! when one is taken.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use symcrete_exec::Class;
use symcrete_exec::pause::Site;
use symcrete_expr::dag::{GatheredVariables, VariableId, substitute_next};
use symcrete_expr::{Arena, Expr, Model};
use symcrete_memory::Frontier;

use super::Lazy;
use super::abstraction::{Event, Fresh, room};
use super::behind::Behind;
use super::concretise::{Before, Concretised, Real, Together};
use super::expansion::{Known, Leaf, Shared, SharedKnown, Told};
use super::groups::Groups;
use super::leaves::{Looked, outputs};
use super::scripts::Purpose;
use crate::path::Path;
use crate::session::Session;
use symcrete_effects::{Cell, Effects, write};

/// A call under way.
#[derive(Clone)]
pub struct Open {
    pub event: Rc<Event>,
    pub known: SharedKnown,
    /// Conditions that the path met since.
    pub added: Vec<Expr>,
    /// Where it returns to.
    pub activation: u64,
    pub site: Site,
    pub cells: Vec<Cell>,
    fresh: Vec<Fresh>,
    /// Up to where memory was in use before it.
    frontier: Frontier,
    /// It goes along a complete path that is known.
    is_known: bool,
    /// How many calls came next when it was entered: more are its own.
    pub outer: usize,
    /// What cells contained for which something else stands.
    pub former: Rc<FxHashMap<Expr, Expr>>,
    /// Summaries that were tried in its place.
    pub tried: usize,
    pub is_top: bool,
}

/// A call that was passed over, in a real state, and which paths through it were tried.
pub struct Choice {
    /// Before the call.
    pub real: Real,
    pub event: Rc<Event>,
    pub is_top: bool,
    pub site: Site,
    pub cells: Vec<Cell>,
    /// The fresh values of the call, with the addresses of this path.
    pub fresh: Vec<Fresh>,
    pub known: SharedKnown,
    /// All paths through it; made when they are needed.
    pub expansion: Option<Shared>,
    /// Those of the conditions that speak of the results, and the others.
    pub own: Vec<Expr>,
    pub others: Vec<Expr>,
    pub stage: Stage,
    /// The summary that was taken at once, and how many were tried since.
    pub remembered: Option<usize>,
    pub tried: usize,
    /// Paths through it and pieces of them that were looked at.
    pub looked: usize,
    /// How many those were when one was last looked for from behind, and the summary that was found so.
    pub asked_behind: Option<usize>,
    found_behind: Option<usize>,
    /// What a call behind it needs of the inputs, and what this one does.
    pub wish: Option<Expr>,
    pub needs: Option<Expr>,
    /// What was asked about since.
    pub touched: GatheredVariables,
    /// What the call is for, once somebody needs to know.
    purpose: Option<Purpose>,
    /// Paths that leave the same, if only some of these are to be taken.
    pub groups: Option<Groups>,
}

/// What is tried next.
#[derive(Copy, Clone)]
pub enum Stage {
    /// All paths as one.
    Merged,
    Remembered,
    Summary(usize),
    Leaf(usize),
    Over,
}

impl Lazy {
    /// A real path stands before a call that was passed over.
    pub fn choice(&mut self, session: &mut Session, real: Real, event: Rc<Event>, is_top: bool, site: Site) -> Choice {
        if is_top && event.real.borrow().is_none() {
            let (meanings, arrays) = (real.meanings.clone(), real.arrays.clone());
            let before = Before { path: real.path.clone(), meanings, arrays };
            *event.real.borrow_mut() = Some(Rc::new(before));
        }
        let (cells, fresh) = match real.path.state.memory.frontier() == event.frontier {
            true => (event.cells.clone(), event.fresh.clone()),
            false => self.elsewhere(session, &real.path, &event),
        };
        // Where nobody knows what the fresh values are, the call has to be executed.
        let known = match fresh.len() == event.fresh.len() {
            true => self.known(session, &real.path, event.function, cells.clone()),
            false => Rc::new(RefCell::new(Known::nothing(Vec::new()))),
        };
        let arena = &session.machine.executor.arena;
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
            fresh,
            known,
            expansion: None,
            own,
            others,
            stage: Stage::Remembered,
            remembered: None,
            tried: 0,
            looked: 0,
            asked_behind: None,
            found_behind: None,
            wish: None,
            needs: None,
            touched: GatheredVariables::default(),
            purpose: None,
            groups: None,
        }
    }

    /// The cells of a call whose objects have other addresses than on the abstract path, and the fresh values for these.
    fn elsewhere(&mut self, session: &mut Session, path: &Path, event: &Event) -> (Vec<Cell>, Vec<Fresh>) {
        let results = event.fresh.len() - event.cells.len();
        let effects = self.effects_of_call(&mut session.machine.executor, &path.state, event.function);
        let is_alike = |effects: &Rc<Effects>| {
            let is_same = |(left, right): (&Cell, &Cell)| left.bytes == right.bytes;
            effects.cells.len() == event.cells.len() && effects.cells.iter().zip(&event.cells).all(is_same)
        };
        let Some(effects) = effects.filter(is_alike) else { return (Vec::new(), Vec::new()) };
        let forms = effects.results.iter().copied().chain(effects.cells.iter().map(|cell| cell.form));
        let fresh: Option<Vec<Fresh>> = event.fresh.iter().zip(forms).map(|(fresh, form)| fresh.within(form)).collect();
        match fresh {
            Some(fresh) if fresh.len() == results + effects.cells.len() => (effects.cells.clone(), fresh),
            _ => (Vec::new(), Vec::new()),
        }
    }

    /// Takes the next path through the call of a choice with which all can hold. `None` if there is none.
    pub fn choose(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        is_open: &mut bool,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Real>, Concretised> {
        let known = choice.known.clone();
        choice.groups.iter_mut().for_each(|groups| groups.latest = 0);
        loop {
            match choice.stage {
                Stage::Merged => {
                    choice.stage = Stage::Remembered;
                    if choice.event.ends {
                        continue;
                    }
                    let merged = self.merged(session, choice, stop);
                    let Some(leaf) = merged.filter(|leaf| self.says_all(session, choice, leaf)) else { continue };
                    choice.stage = Stage::Over;
                    let goal = self.after(session, choice, &leaf);
                    match self.together_at(session, choice, &goal) {
                        Together::Yes(model) => {
                            return Ok(Some(self.take_summary(session, choice, &leaf, goal, model)));
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
                        if let Some(real) = self.take_remembered(session, choice, &summary, &inputs) {
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
                    let is_known = choice.event.ends || choice.remembered == Some(number);
                    if is_known || self.leaves_the_same(session, choice, &summary) {
                        continue;
                    }
                    let goal = self.after(session, choice, &summary);
                    match self.together_at(session, choice, &goal) {
                        Together::Yes(model) => {
                            self.remember(session, choice, number, &summary, &model);
                            match self.take(session, choice, &summary, goal, model) {
                                Some(real) => return Ok(Some(real)),
                                None => *is_open = true,
                            }
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
                            self.expansion(session, path, event.function, event.level, &known)
                        }
                    };
                    choice.expansion = Some(expansion.clone());
                    if !choice.event.ends && number == 0 {
                        let goal = self.goal_in_context(session, choice);
                        if expansion.borrow().failed.contains(&goal) {
                            self.touch_all(session, choice, &expansion);
                            return Ok(None);
                        }
                    }
                    if self.is_time_for_search(choice) {
                        match self.search_from_behind(session, choice, &expansion, stop) {
                            Behind::Nothing => return Ok(None),
                            Behind::Summary(number, goal, model) => {
                                choice.found_behind = Some(number);
                                let summary = known.borrow().summaries[number].clone();
                                self.remember(session, choice, number, &summary, &model);
                                match self.take(session, choice, &summary, goal, model) {
                                    Some(real) => return Ok(Some(real)),
                                    None => *is_open = true,
                                }
                            }
                            Behind::Unknown => {}
                            Behind::Stopped => return Err(Concretised::Stopped),
                        }
                    }
                    choice.looked += 1;
                    if expansion.borrow().leaves.len() <= number {
                        let purpose =
                            *choice.purpose.get_or_insert_with(|| Purpose::of(session, &choice.event, &choice.own));
                        let of = (choice.event.function, purpose);
                        match self.find_leaf(session, &expansion, &known, of, stop)? {
                            Looked::Leaf => {}
                            Looked::Piece => continue,
                            Looked::NothingYet => {
                                *is_open = true;
                                self.touch_all(session, choice, &expansion);
                                return Ok(None);
                            }
                            Looked::Nothing => {
                                *is_open |= expansion.borrow().is_open;
                                self.remember_failure(session, choice, &expansion);
                                self.touch_all(session, choice, &expansion);
                                return Ok(None);
                            }
                        }
                    }
                    choice.stage = Stage::Leaf(number + 1);
                    let leaf = expansion.borrow().leaves[number].clone();
                    self.tell_wrong(session, choice, &leaf, stop)?;
                    let is_tried = |summary| summary < choice.tried || choice.found_behind == Some(summary);
                    let is_known = leaf.ends != choice.event.ends || leaf.summary.is_some_and(is_tried);
                    if is_known || self.leaves_the_same(session, choice, &leaf) {
                        continue;
                    }
                    let goal = self.after(session, choice, &leaf);
                    match self.together_at(session, choice, &goal) {
                        Together::Yes(model) if leaf.summary.is_some() => {
                            self.note_script(choice, &leaf);
                            if let Some(number) = leaf.summary {
                                self.remember(session, choice, number, &leaf, &model);
                            }
                            match self.take(session, choice, &leaf, goal, model) {
                                Some(real) => return Ok(Some(real)),
                                None => *is_open = true,
                            }
                        }
                        Together::Yes(model) => {
                            self.note_script(choice, &leaf);
                            let depth = expansion.borrow().site.depth;
                            match self.enter(session, choice, &leaf.events, depth, goal, model) {
                                Some(real) => return Ok(Some(real)),
                                None => *is_open = true,
                            }
                        }
                        Together::No => {}
                        Together::Unknown => *is_open = true,
                        Together::Stopped => return Err(Concretised::Stopped),
                    }
                }
            }
        }
    }

    /// A path through a call did for what the call is for.
    fn note_script(&mut self, choice: &Choice, leaf: &Leaf) {
        if let Some(purpose) = choice.purpose {
            self.scripts.note(choice.event.function, purpose, &leaf.turns);
        }
    }

    /// Tells of a path on which the program goes wrong inside a call, if it can be taken here: other calls share it.
    fn tell_wrong(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        leaf: &Leaf,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), Concretised> {
        let Some((path, ended, is_told)) = leaf.wrong.as_deref() else { return Ok(()) };
        if is_told.get() || !choice.real.is_whole {
            return Ok(());
        }
        let Together::Yes(model) = self.together_at(session, choice, &leaf.added) else { return Ok(()) };
        is_told.set(true);
        if leaf.events.is_empty() {
            let mut path = path.clone();
            path.conditions = choice.real.path.conditions.clone();
            leaf.added.iter().for_each(|condition| path.conditions.push(&session.machine.executor.arena, *condition));
            path.model = model;
            self.report(session, &path, ended);
            return Ok(());
        }
        // Calls were passed over on the way: they are given paths, and nothing is to come behind them.
        let depth = choice.expansion.as_ref().map_or(choice.site.depth, |expansion| expansion.borrow().site.depth);
        let nested = std::mem::take(&mut choice.real.nested);
        let entered = self.enter(session, choice, &leaf.events, depth, leaf.added.clone(), model);
        choice.real.nested = nested;
        let Some(real) = entered else { return Ok(()) };
        match self.run_to_end(session, real, stop) {
            Concretised::Path(path, ended) if ended.class() == Class::Finding => self.report(session, &path, &ended),
            came @ Concretised::Stopped => return Err(came),
            _ => {}
        }
        Ok(())
    }

    pub fn together_at(&mut self, session: &mut Session, choice: &Choice, goal: &[Expr]) -> Together {
        self.together(session, &choice.real.path.conditions, goal, &choice.real.path.model)
    }

    /// What must hold once a call has gone along a path through its function.
    pub fn after(&mut self, session: &mut Session, choice: &mut Choice, leaf: &Leaf) -> Vec<Expr> {
        let (_, mut known) = self.meanings_of(session, choice, leaf);
        let arena = &mut session.machine.executor.arena;
        let mut conditions: Vec<Expr> = Vec::with_capacity(choice.own.len() + choice.others.len() + leaf.added.len());
        for condition in &choice.own {
            conditions.push(substitute_next(arena, *condition, &mut known));
        }
        conditions.retain(|condition| arena.as_word(*condition) != Some(1));
        conditions.extend(&leaf.added);
        self.gather(&session.machine.executor.arena, &conditions, &mut choice.touched);
        conditions.extend(&choice.others);
        conditions
    }

    /// What all paths through a call depend on was asked about.
    fn touch_all(&mut self, session: &Session, choice: &mut Choice, expansion: &Shared) {
        let arena = &session.machine.executor.arena;
        let conditions: Vec<Expr> = expansion.borrow().conditions.iter().chain(choice.own.iter().copied()).collect();
        self.gather(arena, &conditions, &mut choice.touched);
        choice.touched.add_all(&choice.known.borrow().seen);
    }

    /// What a call leaves on a path through its function, and so what its fresh variables are; nothing for what nobody wrote.
    fn meanings_of(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        leaf: &Leaf,
    ) -> (Vec<Option<Expr>>, FxHashMap<Expr, Expr>) {
        let mut former = FxHashMap::default();
        for (cell, placeholder) in choice.cells.iter().zip(&choice.known.borrow().placeholders) {
            let Some(placeholder) = placeholder else { continue };
            let state = &mut choice.real.path.state;
            if let Some(contents) = session.machine.executor.contents(state, cell.address, (cell.bytes * 8) as u16) {
                former.insert(*placeholder, contents);
            }
        }
        let mut known = FxHashMap::default();
        let mut outputs = Vec::with_capacity(leaf.outputs.len());
        for (fresh, output) in choice.fresh.iter().zip(&leaf.outputs) {
            let of = &choice.known;
            let output = output.and_then(|output| self.without_placeholders(session, output, of, &mut former));
            outputs.push(output);
            if let Some(value) = output {
                fresh.mean(&mut session.machine.executor.arena, value, |variable, meaning| {
                    known.insert(variable, meaning);
                });
            }
        }
        (outputs, known)
    }

    /// What an output is once it is known what was in memory before, for which something stands; `None` if that is not known.
    fn without_placeholders(
        &mut self,
        session: &mut Session,
        output: Expr,
        known: &SharedKnown,
        former: &mut FxHashMap<Expr, Expr>,
    ) -> Option<Expr> {
        let arena = &mut session.machine.executor.arena;
        let set = self.variables.of(arena, output);
        let spoken_of: Vec<VariableId> = self.variables.variables(set).filter(|id| is_fresh(arena, *id)).collect();
        let known = known.borrow();
        let own = known.placeholders.iter().flatten();
        let own = own.filter(|own| arena.variable_of(**own).is_some_and(|id| spoken_of.contains(&id)));
        let mut is_any = false;
        for placeholder in own {
            is_any = true;
            former.get(placeholder)?;
        }
        Some(if is_any { substitute_next(arena, output, former) } else { output })
    }

    /// A goal was reached by a complete path.
    fn remember(&mut self, session: &Session, choice: &Choice, number: usize, leaf: &Leaf, model: &Rc<Model>) {
        let arena = &session.machine.executor.arena;
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
        session: &mut Session,
        choice: &mut Choice,
        leaf: &Rc<Leaf>,
        inputs: &Rc<Model>,
    ) -> Option<Real> {
        let mut model = Model::clone(&choice.real.path.model);
        model.merge(inputs);
        let model = Rc::new(model);
        let goal = self.after(session, choice, leaf);
        let arena = &session.machine.executor.arena;
        let mut changed = GatheredVariables::default();
        for (variable, _) in inputs.values() {
            changed.add(&[(variable.as_u32() / 64, 1 << (variable.as_u32() % 64))]);
        }
        let conditions = choice.real.path.conditions.iter();
        let mut all = conditions.filter(|condition| {
            let set = self.variables.of(arena, *condition);
            changed.meets(self.variables.blocks(set))
        });
        let mut holds = |condition: Expr| !session.machine.chain.evaluate(arena, &model, condition).is_zero();
        let all_hold = all.all(&mut holds) && goal.iter().all(|condition| holds(*condition));
        if all_hold { self.take(session, choice, leaf, goal, model) } else { None }
    }

    /// No path does for a goal: if that has nothing to do with the rest, no other attempt will.
    fn remember_failure(&mut self, session: &mut Session, choice: &mut Choice, expansion: &Shared) {
        if !choice.known.borrow().is_shared || expansion.borrow().is_open || choice.event.ends {
            return;
        }
        let leaves = expansion.borrow().leaves.clone();
        let conditions = expansion.borrow().conditions.clone();
        let others = std::mem::take(&mut choice.others);
        let fails = leaves.iter().filter(|leaf| !leaf.ends).all(|leaf| {
            let goal = self.after(session, choice, leaf);
            let model = choice.real.path.model.clone();
            matches!(self.together(session, &conditions, &goal, &model), Together::No)
        });
        choice.others = others;
        if fails {
            let goal = self.goal_in_context(session, choice);
            expansion.borrow_mut().failed.insert(goal);
        }
    }

    /// What a goal on the results of a call means: its conditions, and what was in cells that the call may leave as they are.
    pub fn goal_in_context(&mut self, session: &mut Session, choice: &mut Choice) -> Vec<Expr> {
        let mut goal = choice.own.clone();
        for (cell, placeholder) in choice.cells.iter().zip(&choice.known.borrow().placeholders) {
            if placeholder.is_some() {
                let bits = (cell.bytes * 8) as u16;
                goal.extend(session.machine.executor.contents(&mut choice.real.path.state, cell.address, bits));
            }
        }
        goal
    }

    /// A call goes along a complete path that is known: told by what that leaves, or executed if it does more. `None` if it cannot be.
    fn take(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        leaf: &Rc<Leaf>,
        goal: Vec<Expr>,
        model: Rc<Model>,
    ) -> Option<Real> {
        if leaf.told.is_some() && self.says_all(session, choice, leaf) {
            self.note_taken(session, choice, leaf);
            return Some(self.take_summary(session, choice, leaf, goal, model));
        }
        let mut real = self.enter(session, choice, &[], choice.site.depth, goal, model)?;
        self.counts.reused += 1;
        if let Some(open) = real.open.last_mut() {
            open.is_known = true;
        }
        Some(real)
    }

    /// Whether all is known that a path leaves here: what it makes of former contents is not where nobody wrote these.
    fn says_all(&mut self, session: &mut Session, choice: &mut Choice, leaf: &Leaf) -> bool {
        let (outputs, _) = self.meanings_of(session, choice, leaf);
        let results = choice.fresh.len() - choice.cells.len();
        let known = choice.known.borrow();
        let mut pairs = leaf.outputs.iter().zip(&outputs).enumerate();
        pairs.all(|(at, (left, output))| {
            let former = at.checked_sub(results).and_then(|cell| known.placeholders.get(cell).copied().flatten());
            output.is_some() || left.is_none() || *left == former
        })
    }

    /// A call is passed by what a complete path leaves.
    fn take_summary(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        leaf: &Leaf,
        goal: Vec<Expr>,
        model: Rc<Model>,
    ) -> Real {
        self.counts.reused += 1;
        let (outputs, known) = self.meanings_of(session, choice, leaf);
        let mut real = choice.real.clone();
        let frontier = real.path.state.memory.frontier();
        let results = choice.fresh.len() - choice.cells.len();
        let (given, left) = outputs.split_at(results.min(outputs.len()));
        for (output, cell) in left.iter().zip(&choice.cells) {
            if let Some(value) = output {
                let is_written = write(&session.machine.executor.arena, &mut real.path.state, cell, *value);
                debug_assert!(is_written, "a cell of a call can be written");
            }
        }
        let values = given.iter().zip(&choice.fresh).map(|(output, fresh)| output.unwrap_or(fresh.value)).collect();
        if let Some(Told { arrays, world }) = &leaf.told {
            for (cell, contents) in arrays {
                let written = real.path.state.memory.write_cells(choice.cells[*cell].address, contents);
                debug_assert!(written.is_ok(), "a cell of a call can be written");
            }
            if let Some(world) = world {
                real.path.state.posix = world.clone();
            }
        }
        session.machine.executor.skip_call(&mut real.path.state, values);
        real.path.state.memory.leave_out(frontier, room(choice.event.level));
        for condition in &leaf.added {
            real.path.conditions.push(&session.machine.executor.arena, *condition);
            real.open.iter_mut().for_each(|open| open.added.push(*condition));
        }
        real.path.is_pieced = true;
        real.path.model = model;
        real.goal = Rc::new(goal);
        real.others = 0;
        if choice.is_top {
            real.top += 1;
            Rc::make_mut(&mut real.meanings).extend(known);
            real.note_arrays(&choice.cells, &choice.fresh);
        }
        real
    }

    /// A call is entered, to be executed along a path through its function. `None` if it cannot be.
    fn enter(
        &mut self,
        session: &mut Session,
        choice: &mut Choice,
        events: &[Rc<Event>],
        depth: u32,
        goal: Vec<Expr>,
        model: Rc<Model>,
    ) -> Option<Real> {
        let mut real = choice.real.clone();
        real.path.model = model;
        real.goal = Rc::new(goal);
        real.others = 0;
        let frontier = real.path.state.memory.frontier();
        let mut former = FxHashMap::default();
        for (cell, placeholder) in choice.cells.iter().zip(&choice.known.borrow().placeholders) {
            let Some(placeholder) = placeholder else { continue };
            let state = &mut real.path.state;
            // What nobody wrote stays what it is: nothing can stand for it.
            if let Some(contents) = session.machine.executor.contents(state, cell.address, (cell.bytes * 8) as u16) {
                former.insert(*placeholder, contents);
                state.memory.write_expr(cell.address, *placeholder, cell.bytes).ok()?;
            }
        }
        let activation = session.machine.executor.activation(&real.path.state);
        if session.machine.executor.enter_call(&mut real.path.state).is_some() {
            return None;
        }
        let deeper = i64::from(choice.site.depth) - i64::from(depth);
        let outer = real.nested.len();
        real.nested.extend(events.iter().rev().map(|event| (event.clone(), deeper)));
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
            fresh: choice.fresh.clone(),
            frontier,
            is_known: false,
            outer,
            former: Rc::new(former),
            tried: choice.tried,
            is_top: choice.is_top,
        });
        Some(real)
    }

    /// A call returned that was passed over: what it left is known, and a complete path through its function. `false` if that was tried
    /// before as a summary.
    pub fn leave(&mut self, session: &mut Session, real: &mut Real) -> bool {
        let Some(open) = real.open.pop() else { return true };
        real.others = 0;
        let path = &mut real.path;
        let mut outputs = outputs(session, path, &open.site, &open.cells);
        path.state.memory.leave_out(open.frontier, room(open.event.level));
        let (is_contained, is_shared) = (open.known.borrow().is_contained, open.known.borrow().is_shared);
        let is_complete = !is_contained || outputs.iter().all(Option::is_some);
        if is_shared && is_complete && !open.is_known {
            let (added, outputs, events) = (open.added, outputs.clone(), Vec::new());
            let leaf = Leaf { added, outputs, told: is_contained.then(Told::default), events, ..Leaf::default() };
            if Lazy::sum_up(&open.known, leaf) < open.tried {
                return false;
            }
        }
        let results = outputs.len() - open.cells.len();
        let mut former = FxHashMap::clone(&open.former);
        for (cell, output) in open.cells.iter().zip(&mut outputs[results..]) {
            let Some(before) = *output else { continue };
            *output = self.without_placeholders(session, before, &open.known, &mut former);
            if let Some(after) = output.filter(|after| *after != before) {
                let is_written = write(&session.machine.executor.arena, &mut path.state, cell, after);
                debug_assert!(is_written, "a cell of a call can be written");
            }
        }
        for output in &mut outputs[..results] {
            let of = &open.known;
            *output = output.and_then(|output| self.without_placeholders(session, output, of, &mut former));
        }
        if open.is_top {
            let meanings = Rc::make_mut(&mut real.meanings);
            for (fresh, output) in open.fresh.iter().zip(&outputs) {
                if let Some(value) = output {
                    fresh.mean(&mut session.machine.executor.arena, *value, |variable, meaning| {
                        meanings.insert(variable, meaning);
                    });
                }
            }
            real.note_arrays(&open.cells, &open.fresh);
        }
        true
    }
}

pub fn is_fresh(arena: &Arena, variable: VariableId) -> bool {
    arena.variables()[variable].input >> 31 != 0
}
