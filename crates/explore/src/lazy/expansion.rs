//! The paths through a function in one context: what it is called with, what it may read, and what is known of that. Calls in the same
//! context share them, wherever they stand. Paths that are complete, with all that they call, are remembered with their conditions and effects
//! (section 4.3 of the paper on lazy expansion calls that summaries) and tried first; so are goals, with what did for them.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHashMap;
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
pub struct Leaf {
    /// What must hold for it.
    pub added: Vec<Expr>,
    /// What it leaves for the fresh values of its call; `None` for what nobody wrote.
    pub outputs: Vec<Option<Expr>>,
    /// Calls that were passed over on it; none if it is complete.
    pub events: Vec<Rc<Event>>,
    /// The program ends on it.
    pub ends: bool,
}

pub struct Expansion {
    /// Of the call that came here first.
    pub site: Site,
    pub back_in: u64,
    pub cells: Vec<Cell>,
    /// What stands for the former contents of cells that the function does not read.
    pub placeholders: Vec<Option<Expr>>,
    /// Those of the conditions of its paths that speak of what it may read.
    pub conditions: Conditions,
    pub leaves: Vec<Rc<Leaf>>,
    pub pending: VecDeque<Abstract>,
    /// Complete paths, if they can be told without executing them.
    pub complete: Vec<Rc<Leaf>>,
    pub is_contained: bool,
    /// What became of goals on the results.
    pub goals: FxHashMap<Vec<Expr>, Remembered>,
    /// Whether exploring left something open.
    pub is_open: bool,
}

/// What became of a goal.
#[derive(Clone)]
pub enum Remembered {
    /// This complete path did, with these inputs.
    Reached(usize, Rc<Model>),
    /// Nothing does.
    Failed,
}

pub type Shared = Rc<RefCell<Expansion>>;

/// Two numbers that are the same for the same context.
pub type Context = (u64, u64);

/// Contexts that are remembered before all are forgotten.
const MOST: usize = 1 << 14;

/// Of the numbers of fresh values, those for former contents.
const FORMER: u32 = (1 << 31) | (0x7FF << 20);

impl Lazy {
    /// The paths through the call before which a real path stands.
    pub fn expansion(&mut self, explorer: &mut Explorer, path: &Path, function: FuncId, level: u32) -> Shared {
        let readable = self.effects.readable(&explorer.executor, &path.state, function);
        let arguments = explorer.executor.call_arguments(&path.state);
        let cells = self.effects.cells(&explorer.executor, &path.state, function, &[]).unwrap_or_default();
        let is_read = |cell: &Cell| match &readable {
            Some(objects) => objects.iter().any(|(base, size)| cell.address.wrapping_sub(*base) < *size),
            None => true,
        };
        let widths = explorer.executor.result_widths(&path.state);
        let is_contained = self.effects.of(function).is_contained() && readable.is_some();
        let mut conditions = path.conditions.clone();
        let mut context = None;
        if let (true, Some(objects)) = (is_contained, &readable) {
            let arguments: Option<Vec<Expr>> = arguments.into_iter().collect();
            if let Some((found, relevant)) = arguments
                .and_then(|arguments| self.context(explorer, path, function, &arguments, objects, &cells, &widths))
            {
                conditions = relevant;
                context = Some((found.0 ^ u64::from(level), found.1));
            }
        }
        if let Some(known) = context.and_then(|context| self.expansions.get(&context)) {
            return known.clone();
        }
        let is_contained = context.is_some();
        let mut inside = path.clone();
        let arena = &mut explorer.executor.arena;
        let mut placeholders = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            let placeholder = (is_contained && !is_read(cell)).then(|| {
                let width = cell.bytes * 8;
                arena.variable(Variable { input: FORMER, offset: at as u32 * 8, width, index_width: 0 })
            });
            if let Some(placeholder) = placeholder {
                let written = inside.state.memory.write_expr(cell.address, placeholder, cell.bytes);
                debug_assert!(written.is_ok(), "a cell of a call can be written");
            }
            placeholders.push(placeholder);
        }
        let site = explorer.executor.call_site(&inside.state);
        let back_in = explorer.executor.activation(&inside.state);
        let mut pending = VecDeque::new();
        if explorer.executor.enter_call(&mut inside.state).is_none() {
            inside.conditions = conditions.clone();
            let (added, events) = (Conditions::new(), Events::default());
            pending.push_back(Abstract { path: inside, added, events, level: level + 1 });
        }
        let expansion = Rc::new(RefCell::new(Expansion {
            site,
            back_in,
            cells,
            placeholders,
            conditions,
            leaves: Vec::new(),
            pending,
            complete: Vec::new(),
            is_contained,
            goals: FxHashMap::default(),
            is_open: false,
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
    #[allow(clippy::too_many_arguments)]
    fn context(
        &mut self,
        explorer: &Explorer,
        path: &Path,
        function: FuncId,
        arguments: &[Expr],
        objects: &[(u64, u64)],
        cells: &[Cell],
        widths: &[u32],
    ) -> Option<(Context, Conditions)> {
        let arena = &explorer.executor.arena;
        let mut seen = GatheredVariables::default();
        let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
        1u8.hash(&mut hashers[1]);
        let mut note = |word: u64| hashers.iter_mut().for_each(|hasher| word.hash(hasher));
        note(u64::from(function.as_u32()));
        widths.iter().for_each(|width| note(u64::from(*width)));
        for argument in arguments {
            note(u64::from(argument.as_u32()));
            let set = self.variables.of(arena, *argument);
            seen.add(self.variables.blocks(set));
        }
        for cell in cells {
            note(cell.address);
            note(u64::from(cell.bytes));
        }
        let mut contents: Vec<Content> = Vec::new();
        let mut last = None;
        for (base, size) in objects {
            note(*base);
            contents.clear();
            path.state.memory.read_cells(*base, *size, &mut contents).ok()?;
            for content in &contents {
                match *content {
                    Content::Byte { bits, undefined } => note(u64::from(bits) | u64::from(undefined) << 8),
                    Content::Part { expr, index } => {
                        note(1 << 63 | u64::from(expr.as_u32()) << 16 | u64::from(index));
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
            note(u64::from(condition.as_u32()));
            conditions.push(arena, *condition);
        }
        Some(((hashers[0].finish(), hashers[1].finish()), conditions))
    }
}
