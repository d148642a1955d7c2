//! The paths through a called function. Complete ones, with all that they call, are remembered with their conditions and effects, which section
//! 4.3 of the paper on lazy expansion calls summaries, and are tried first wherever a call sees what they saw; so are goals, with what
//! did for them. All paths are explored, abstract ones, in one context: what the function is called with, what it may read, and
//! what is known of that. Calls in the same context share them, wherever they stand.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use symcrete_exec::pause::Site;
use symcrete_expr::dag::{GatheredVariables, Variable};
use symcrete_expr::{Expr, Model};
use symcrete_ir::FuncId;
use symcrete_memory::Cell as Content;
use symcrete_solver::Conditions;

use super::Lazy;
use super::abstraction::{Abstract, Event, Events};
use super::effects::Cell;
use crate::forward::Explorer;
use crate::path::Path;

/// A path through a called function.
#[derive(Default)]
pub struct Leaf {
    /// What must hold for it.
    pub added: Vec<Expr>,
    /// What it leaves for the fresh values of its call; `None` for what nobody wrote.
    pub outputs: Vec<Option<Expr>>,
    /// Calls that were passed over on it; none if it is complete.
    pub events: Vec<Rc<Event>>,
    /// The program ends on it.
    pub ends: bool,
    /// As what it is remembered.
    pub summary: Option<usize>,
}

/// What is known of calls of a function with the same arguments, where all that it may read is the same.
pub struct Known {
    pub cells: Vec<Cell>,
    /// What stands for the former contents of cells that the function does not read.
    pub placeholders: Vec<Option<Expr>>,
    /// Whether all that it does is in its results and cells, so that it can be told without executing it.
    pub is_contained: bool,
    objects: Vec<(u64, u64)>,
    pub summaries: Vec<Rc<Leaf>>,
    /// Goals on what it leaves, and which complete path did for them with which inputs.
    pub goals: FxHashMap<Vec<Expr>, (usize, Rc<Model>)>,
}

/// The paths through a function in one context.
pub struct Expansion {
    /// Of the call that came here first.
    pub site: Site,
    pub back_in: u64,
    /// Those of the conditions of its paths that speak of what it may read.
    pub conditions: Conditions,
    /// A real path at the beginning of the function.
    pub begin: Path,
    pub leaves: Vec<Rc<Leaf>>,
    pub pending: VecDeque<Abstract>,
    /// Goals that none of its paths does for.
    pub failed: FxHashSet<Vec<Expr>>,
    /// Whether exploring left something open.
    pub is_open: bool,
    /// All complete paths, as summaries, if somebody looked for them; `None` if they are too many.
    pub enumerated: Option<Option<Vec<usize>>>,
}

pub type SharedKnown = Rc<RefCell<Known>>;
pub type Shared = Rc<RefCell<Expansion>>;

/// Two numbers that are the same for the same context.
pub type Context = (u64, u64);

/// Contexts that are remembered before all are forgotten.
const MOST: usize = 1 << 14;

/// Of the numbers of fresh values, those for former contents.
pub const FORMER: u32 = (1 << 31) | (0x7FF << 20);

/// Makes a context of numbers.
struct Noted([DefaultHasher; 2]);

impl Noted {
    fn new(function: FuncId) -> Noted {
        let mut noted = Noted([DefaultHasher::new(), DefaultHasher::new()]);
        1u8.hash(&mut noted.0[1]);
        noted.note(u64::from(function.as_u32()));
        noted
    }

    fn note(&mut self, word: u64) {
        self.0.iter_mut().for_each(|hasher| word.hash(hasher));
    }

    fn context(&self) -> Context {
        (self.0[0].finish(), self.0[1].finish())
    }
}

impl Known {
    /// Of a call of which nothing is known but what it may change.
    pub fn nothing(cells: Vec<Cell>) -> Known {
        Known {
            placeholders: vec![None; cells.len()],
            cells,
            is_contained: false,
            objects: Vec::new(),
            summaries: Vec::new(),
            goals: FxHashMap::default(),
        }
    }
}

impl Lazy {
    /// What is known of the call before which a real path stands.
    pub fn known(&mut self, explorer: &mut Explorer, path: &Path, function: FuncId) -> SharedKnown {
        let readable = self.effects.readable(&explorer.executor, &path.state, function);
        let cells = self.effects.cells(&explorer.executor, &path.state, function, &[]).unwrap_or_default();
        let arguments: Option<Vec<Expr>> = explorer.executor.call_arguments(&path.state).into_iter().collect();
        let is_contained = self.effects.of(function).is_contained();
        let mut known = Known::nothing(cells);
        let (Some(objects), Some(arguments), true) = (readable, arguments, is_contained) else {
            return Rc::new(RefCell::new(known));
        };
        let mut noted = Noted::new(function);
        explorer.executor.result_widths(&path.state).iter().for_each(|width| noted.note(u64::from(*width)));
        arguments.iter().for_each(|argument| noted.note(u64::from(argument.as_u32())));
        for cell in &known.cells {
            noted.note(cell.address);
            noted.note(u64::from(cell.bytes));
        }
        let mut contents: Vec<Content> = Vec::new();
        for (base, size) in &objects {
            noted.note(*base);
            contents.clear();
            if path.state.memory.read_cells(*base, *size, &mut contents).is_err() {
                return Rc::new(RefCell::new(known));
            }
            for content in &contents {
                noted.note(match *content {
                    Content::Byte { bits, undefined } => u64::from(bits) | u64::from(undefined) << 8,
                    Content::Part { expr, index } => 1 << 63 | u64::from(expr.as_u32()) << 16 | u64::from(index),
                });
            }
        }
        let context = noted.context();
        if let Some(known) = self.known.get(&context) {
            return known.clone();
        }
        known.placeholders.clear();
        for (at, cell) in known.cells.iter().enumerate() {
            let is_read = objects.iter().any(|(base, size)| cell.address.wrapping_sub(*base) < *size);
            let (width, offset) = (cell.bytes * 8, at as u32 * 8);
            let variable = Variable { input: FORMER, offset, width, index_width: 0 };
            known.placeholders.push((!is_read).then(|| explorer.executor.arena.variable(variable)));
        }
        known.is_contained = true;
        known.objects = objects;
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
            return number;
        }
        known.summaries.push(Rc::new(leaf));
        known.summaries.len() - 1
    }

    /// The paths through the call before which a real path stands.
    pub fn expansion(
        &mut self,
        explorer: &mut Explorer,
        path: &Path,
        function: FuncId,
        level: u32,
        known: &SharedKnown,
    ) -> Shared {
        let mut conditions = path.conditions.clone();
        let mut context = None;
        if known.borrow().is_contained
            && let Some((found, relevant)) = self.context(explorer, path, function, level, &known.borrow())
        {
            (context, conditions) = (Some(found), relevant);
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
        let site = explorer.executor.call_site(&inside.state);
        let back_in = explorer.executor.activation(&inside.state);
        let mut pending = VecDeque::new();
        if explorer.executor.enter_call(&mut inside.state).is_none() {
            inside.conditions = conditions.clone();
            let (added, met, events) = (Conditions::new(), Conditions::new(), Events::default());
            pending.push_back(Abstract { path: inside.clone(), added, met, events, level: level + 1, prefix: None });
        }
        let expansion = Rc::new(RefCell::new(Expansion {
            site,
            back_in,
            conditions,
            begin: inside,
            leaves: Vec::new(),
            pending,
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

    /// What a context is, and the conditions that belong to it: those that speak, directly or not, of what the function can see.
    fn context(
        &mut self,
        explorer: &mut Explorer,
        path: &Path,
        function: FuncId,
        level: u32,
        known: &Known,
    ) -> Option<(Context, Conditions)> {
        let arguments: Vec<Expr> = explorer.executor.call_arguments(&path.state).into_iter().collect::<Option<_>>()?;
        let arena = &explorer.executor.arena;
        let mut noted = Noted::new(function);
        let mut seen = GatheredVariables::default();
        noted.note(u64::from(level));
        for argument in arguments {
            noted.note(u64::from(argument.as_u32()));
            let set = self.variables.of(arena, argument);
            seen.add(self.variables.blocks(set));
        }
        for cell in &known.cells {
            noted.note(cell.address);
            noted.note(u64::from(cell.bytes));
        }
        let mut contents: Vec<Content> = Vec::new();
        let mut last = None;
        for (base, size) in &known.objects {
            noted.note(*base);
            contents.clear();
            path.state.memory.read_cells(*base, *size, &mut contents).ok()?;
            for content in &contents {
                match *content {
                    Content::Byte { bits, undefined } => noted.note(u64::from(bits) | u64::from(undefined) << 8),
                    Content::Part { expr, index } => {
                        noted.note(1 << 63 | u64::from(expr.as_u32()) << 16 | u64::from(index));
                        if last != Some(expr) {
                            last = Some(expr);
                            let set = self.variables.of(arena, expr);
                            seen.add(self.variables.blocks(set));
                        }
                    }
                }
            }
        }
        let mut left: Vec<(Expr, bool)> = path.conditions.iter().map(|condition| (condition, false)).collect();
        loop {
            let mut changed = false;
            for (condition, is_relevant) in left.iter_mut().filter(|(_, is_relevant)| !is_relevant) {
                let set = self.variables.of(arena, *condition);
                if seen.meets(self.variables.blocks(set)) {
                    seen.add(self.variables.blocks(set));
                    *is_relevant = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let mut conditions = Conditions::new();
        for (condition, _) in left.iter().rev().filter(|(_, is_relevant)| *is_relevant) {
            noted.note(u64::from(condition.as_u32()));
            conditions.push(arena, *condition);
        }
        Some((noted.context(), conditions))
    }
}
