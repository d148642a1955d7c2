//! The paths through a called function. Complete ones, with all that they call, are remembered with their conditions and effects, which section
//! 4.3 of the paper on lazy expansion calls summaries, and are tried first wherever a call sees what they saw; so are goals, with what
//! did for them. All paths are explored, abstract ones, in one context: what the function is called with, what it may read, and
//! what is known of that. Calls in the same context share them, wherever they stand.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::Ended;
use symcrete_exec::pause::Site;
use symcrete_exec::posix::Posix;
use symcrete_expr::dag::{GatheredVariables, Variable};
use symcrete_expr::{Arena, Expr, Model};
use symcrete_ir::FuncId;
use symcrete_memory::Cell as Content;
use symcrete_solver::Conditions;

use super::Lazy;
use super::abstraction::{Abstract, CALLS, Event};
use super::noted::{Context, Noted};
use super::scripts::Turns;
use crate::path::Path;
use crate::session::Session;
use symcrete_effects as effects;

/// A path through a called function.
#[derive(Default)]
pub struct Leaf {
    /// What must hold for it.
    pub added: Vec<Expr>,
    /// What it leaves for the fresh values of its call; `None` for what nobody wrote.
    pub outputs: Vec<Option<Expr>>,
    /// All that it does beside; `None` if nobody can tell, so that it has to be executed.
    pub told: Option<Told>,
    /// Calls that were passed over on it; none if it is complete.
    pub events: Vec<Rc<Event>>,
    /// The program ends on it.
    pub ends: bool,
    /// It goes wrong there: the path, what is wrong, and whether that was told.
    pub wrong: Option<Box<(Path, Ended, Cell<bool>)>>,
    /// As what it is remembered.
    pub summary: Option<usize>,
    /// Which ways it takes where inputs decide.
    pub turns: Turns,
}

impl Leaf {
    /// Whether all that it does is in its outputs.
    pub fn does_nothing_else(&self) -> bool {
        let is_plain = |told: &Told| told.arrays.is_empty() && told.world.is_none();
        self.events.is_empty() && !self.ends && self.told.as_ref().is_some_and(is_plain)
    }
}

/// What a path through a called function does that is not in its outputs.
#[derive(Clone, Default)]
pub struct Told {
    /// Arrays that it changed, by the number of their cell, and what is in them then.
    pub arrays: Vec<(usize, Rc<Vec<Content>>)>,
    /// The world outside as it is then, if it asked for that.
    pub world: Option<Posix>,
}

/// What is known of calls of a function with the same arguments, where all that it may read is the same.
pub struct Known {
    pub cells: Vec<effects::Cell>,
    /// What stands for the former contents of cells that the function does not read.
    pub placeholders: Vec<Option<Expr>>,
    /// Whether other calls may see the same.
    pub is_shared: bool,
    /// Whether all that it does is in its results and cells, on all of its paths.
    pub is_contained: bool,
    /// Whether it may print.
    pub prints: bool,
    /// By what it is known.
    context: Context,
    /// It has many paths: they are looked for anew wherever other conditions hold on what they depend on.
    has_many: bool,
    pub seen: GatheredVariables,
    pub summaries: Vec<Rc<Leaf>>,
    /// Goals on what it leaves, and which complete path did for them with which inputs.
    pub goals: FxHashMap<Vec<Expr>, (usize, Rc<Model>)>,
}

/// The paths through a function in one context.
pub struct Expansion {
    /// Of the call that came here first.
    pub site: Site,
    pub back_in: u64,
    /// What holds in all of them.
    pub conditions: Conditions,
    /// A real path at the beginning of the function.
    pub begin: Path,
    pub leaves: Vec<Rc<Leaf>>,
    pub pending: VecDeque<Abstract>,
    /// Paths that ended inside of the function where others went on, and were not looked at yet.
    pub ended: Vec<(Abstract, Ended)>,
    /// Goals that none of its paths does for.
    pub failed: FxHashSet<Vec<Expr>>,
    /// Whether exploring left something open.
    pub is_open: bool,
    /// All complete paths, as summaries, if somebody looked for them; `None` if they are too many.
    pub enumerated: Option<Option<Vec<usize>>>,
}

pub type SharedKnown = Rc<RefCell<Known>>;
pub type Shared = Rc<RefCell<Expansion>>;

/// Contexts that are remembered before all are forgotten.
const MOST: usize = 1 << 14;

/// Paths that a function may have for them to be looked for whatever else holds.
const MOST_PATHS: usize = 256;

/// Of the numbers of fresh values, those for former contents; the rest of the number says of which call.
const FORMER: u32 = (1 << 31) | (0x7FF << 20);

impl Known {
    /// Of a call of which nothing is known but what it may change.
    pub fn nothing(cells: Vec<effects::Cell>) -> Known {
        Known {
            placeholders: vec![None; cells.len()],
            cells,
            is_shared: false,
            is_contained: false,
            prints: false,
            context: (0, 0),
            has_many: false,
            seen: GatheredVariables::default(),
            summaries: Vec::new(),
            goals: FxHashMap::default(),
        }
    }
}

impl Lazy {
    /// What is known of the call before which a real path stands.
    pub fn known(
        &mut self,
        session: &mut Session,
        path: &Path,
        function: FuncId,
        cells: Vec<effects::Cell>,
    ) -> SharedKnown {
        let effects = self.effects_of_call(&mut session.machine.executor, &path.state, function);
        let arguments: Option<Vec<Expr>> = session.machine.executor.call_arguments(&path.state).into_iter().collect();
        let mut known = Known::nothing(cells);
        let (Some(effects), Some(arguments)) = (effects, arguments) else { return Rc::new(RefCell::new(known)) };
        let Some(reads) = effects.reads.clone() else { return Rc::new(RefCell::new(known)) };
        let mut noted = Noted::new(function);
        session.machine.executor.result_widths(&path.state).iter().for_each(|width| noted.note(u64::from(*width)));
        arguments.iter().for_each(|argument| noted.note(u64::from(argument.as_u32())));
        if !effects.is_contained() {
            noted.note_world(&path.state);
        }
        for cell in &known.cells {
            noted.note(cell.address);
            noted.note(u64::from(cell.bytes));
        }
        let mut contents: Vec<Content> = Vec::new();
        for (begin, bytes) in &reads {
            noted.note(*begin);
            contents.clear();
            if path.state.memory.read_cells(*begin, *bytes, &mut contents).is_err() {
                return Rc::new(RefCell::new(known));
            }
            noted.note_contents(&contents);
        }
        let context = noted.context();
        if let Some(known) = self.known.get(&context) {
            return known.clone();
        }
        known.placeholders.clear();
        // What stands for former contents of one call is no contents of another, which may be made inside of it.
        self.formers = (self.formers + 1) % (1 << CALLS);
        for (at, cell) in known.cells.iter().enumerate() {
            let end = cell.address + u64::from(cell.bytes);
            let is_read = reads.iter().any(|(begin, bytes)| *begin < end && cell.address < begin + bytes);
            let (width, offset) = (cell.bytes * 8, at as u32 * 8);
            let variable = Variable { input: FORMER | self.formers, offset, width, index_width: 0 };
            let is_replaced = !is_read && !cell.is_array();
            known.placeholders.push(is_replaced.then(|| session.machine.executor.arena.variable(variable)));
        }
        known.is_contained = effects.is_contained();
        known.prints = effects.deeds.prints;
        known.is_shared = true;
        known.context = context;
        let known = Rc::new(RefCell::new(known));
        if self.known.len() >= MOST {
            self.known.clear();
        }
        self.known.insert(context, known.clone());
        known
    }

    /// Remembers a complete path through a function. Its number.
    pub fn sum_up(known: &SharedKnown, leaf: Leaf) -> usize {
        let mut known = known.borrow_mut();
        let is_same = |other: &Rc<Leaf>| other.added == leaf.added && other.outputs == leaf.outputs;
        if let Some(number) = known.summaries.iter().position(is_same) {
            if leaf.told.is_some() && known.summaries[number].told.is_none() {
                known.summaries[number] = Rc::new(leaf);
            }
            return number;
        }
        known.summaries.push(Rc::new(leaf));
        known.summaries.len() - 1
    }

    /// The paths through the call before which a real path stands.
    pub fn expansion(
        &mut self,
        session: &mut Session,
        path: &Path,
        function: FuncId,
        level: u32,
        known: &SharedKnown,
    ) -> Shared {
        let mut conditions = path.conditions.clone();
        let mut context = None;
        if known.borrow().is_shared {
            let known = known.borrow();
            conditions = if known.has_many { self.relevant(session, path, &known) } else { Conditions::new() };
            let mut noted = Noted::new(function);
            [known.context.0, known.context.1, u64::from(level)].into_iter().for_each(|word| noted.note(word));
            conditions.iter().for_each(|condition| noted.note(u64::from(condition.as_u32())));
            context = Some(noted.context());
        }
        if let Some(shared) = context.and_then(|context| self.expansions.get(&context)) {
            return shared.clone();
        }
        let mut inside = path.clone();
        for (cell, placeholder) in known.borrow().cells.iter().zip(&known.borrow().placeholders) {
            if let Some(placeholder) = placeholder {
                let written = inside.state.memory.write_expr(cell.address, *placeholder, cell.bytes);
                debug_assert!(written.is_ok(), "a cell of a call can be written");
            }
        }
        let site = session.machine.executor.call_site(&inside.state);
        let back_in = session.machine.executor.activation(&inside.state);
        let mut pending = VecDeque::new();
        if session.machine.executor.enter_call(&mut inside.state).is_none() {
            inside.conditions = conditions.clone();
            pending.push_back(Abstract::new(inside.clone(), level + 1));
        }
        let expansion = Rc::new(RefCell::new(Expansion {
            site,
            back_in,
            conditions,
            begin: inside,
            leaves: Vec::new(),
            pending,
            ended: Vec::new(),
            failed: FxHashSet::default(),
            is_open: false,
            enumerated: None,
        }));
        if let Some(context) = context {
            if self.expansions.len() >= MOST {
                self.expansions.clear();
            }
            self.expansions.insert(context, expansion.clone());
        }
        expansion
    }

    /// Those of the conditions of a path that speak, directly or not, of what paths through a function were seen to depend on. The function may
    /// depend on more: all conditions but these are left to who takes one of the paths.
    fn relevant(&mut self, session: &Session, path: &Path, known: &Known) -> Conditions {
        let arena = &session.machine.executor.arena;
        let all = path.conditions.iter();
        let connected = self.connected(arena, known.seen.clone(), all.collect());
        let mut conditions = Conditions::new();
        connected.into_iter().rev().for_each(|condition| conditions.push(arena, condition));
        conditions
    }

    /// Those of some conditions that speak, directly or not, of some variables, in their order.
    pub fn connected(&mut self, arena: &Arena, mut seen: GatheredVariables, conditions: Vec<Expr>) -> Vec<Expr> {
        let mut marked: Vec<(Expr, bool)> = conditions.into_iter().map(|condition| (condition, false)).collect();
        loop {
            let mut changed = false;
            for (condition, is_connected) in marked.iter_mut().filter(|(_, is_connected)| !is_connected) {
                let set = self.variables.of(arena, *condition);
                if seen.meets(self.variables.blocks(set)) {
                    seen.add(self.variables.blocks(set));
                    *is_connected = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        marked.retain(|(_, is_connected)| *is_connected);
        marked.into_iter().map(|(condition, _)| condition).collect()
    }

    /// Adds the variables of conditions to others.
    pub fn gather(&mut self, arena: &Arena, conditions: &[Expr], variables: &mut GatheredVariables) {
        for condition in conditions {
            let set = self.variables.of(arena, *condition);
            variables.add(self.variables.blocks(set));
        }
    }

    /// One more path through a function is known.
    pub fn add_leaf(&mut self, session: &Session, expansion: &Shared, known: &SharedKnown, leaf: Leaf) {
        let (mut expansion, mut known) = (expansion.borrow_mut(), known.borrow_mut());
        self.gather(&session.machine.executor.arena, &leaf.added, &mut known.seen);
        expansion.leaves.push(Rc::new(leaf));
        if expansion.leaves.len() > MOST_PATHS {
            known.has_many = true;
        }
    }
}
