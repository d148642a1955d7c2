//! What must hold where a backward path stands, for it to go on to the target: conditions over names for what registers and memory contain
//! there. Section 4.2 of the paper on symcretic execution, with memory.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use symcrete_expr::dag::{Variable, substitute};
use symcrete_expr::{Arena, Expr};
use symcrete_ir::{Block, FuncId, LocId, Reg};

use super::shape::{Location, Root, Write};

/// A call under way.
#[derive(Clone)]
pub struct Frame {
    pub function: FuncId,
    /// No two frames of a path have the same.
    pub activation: u32,
    /// Names of what registers contain; those that nobody asked for have none.
    pub names: BTreeMap<Reg, Expr>,
    /// Where the frame below goes on, backward: in which block, and before which instruction. `None` if the caller is not known.
    pub site: Option<(Block, usize)>,
}

/// What memory contains somewhere, by a name.
#[derive(Clone)]
pub struct Read {
    /// Whose registers the root speaks of; any for globals.
    pub activation: u32,
    pub root: Root,
    pub offset: i64,
    pub bytes: u64,
    pub name: Expr,
}

#[derive(Clone)]
pub struct Goal {
    /// The innermost call last.
    pub frames: Vec<Frame>,
    pub block: Block,
    /// Instructions from here on were executed, backward.
    pub at: usize,
    pub conditions: Vec<Expr>,
    pub reads: Vec<Read>,
    /// Whether conditions changed since they were last looked at.
    pub is_changed: bool,
    /// The branches whose conditions these are.
    pub branches: Vec<LocId>,
}

/// Names, each new.
#[derive(Default)]
pub struct Names(u32);

impl Names {
    pub fn fresh(&mut self, arena: &mut Arena, width: u32) -> Expr {
        self.0 += 1;
        arena.variable(Variable { input: self.0, offset: 0, width, index_width: 0 })
    }
}

/// How a write and a read are related.
pub enum Relation {
    /// The read is of something else.
    Apart,
    /// The read is of just what is written.
    Same,
    Unclear,
}

impl Read {
    pub fn relation(&self, write: &Write, activation: u32) -> Relation {
        let (location, bytes) = match write {
            Write::Anywhere => return Relation::Unclear,
            Write::Runtime => {
                return if matches!(self.root, Root::Pointer(_)) { Relation::Unclear } else { Relation::Apart };
            }
            Write::Global(global) => (Location { root: Root::Global(*global), offset: None }, 0),
            Write::At(location, bytes) => (*location, *bytes),
        };
        let is_global = matches!(self.root, Root::Global(_));
        if location.root == self.root && (is_global || activation == self.activation) {
            return match location.offset {
                Some(offset) if offset == self.offset && bytes == self.bytes => Relation::Same,
                Some(offset) => {
                    let ends_before = offset.checked_add_unsigned(bytes).is_some_and(|end| end <= self.offset);
                    let begins_after = self.offset.checked_add_unsigned(self.bytes).is_some_and(|end| end <= offset);
                    if ends_before || begins_after { Relation::Apart } else { Relation::Unclear }
                }
                None => Relation::Unclear,
            };
        }
        // Different objects, unless one of them is whatever a pointer points to.
        match (self.root, location.root) {
            (Root::Pointer(_), _) | (_, Root::Pointer(_)) => Relation::Unclear,
            _ => Relation::Apart,
        }
    }
}

impl Goal {
    pub fn top(&mut self) -> &mut Frame {
        // A goal has a frame, always.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub fn function(&self) -> FuncId {
        self.frames[self.frames.len() - 1].function
    }

    /// Names become what they stand for.
    pub fn substitute(&mut self, arena: &mut Arena, meanings: &FxHashMap<Expr, Expr>) {
        if meanings.is_empty() {
            return;
        }
        for condition in &mut self.conditions {
            let changed = substitute(arena, *condition, meanings);
            self.is_changed |= changed != *condition;
            *condition = changed;
        }
        self.conditions.retain(|condition| arena.as_word(*condition) != Some(1));
    }

    pub fn require(&mut self, condition: Expr) {
        if !self.conditions.contains(&condition) {
            self.conditions.push(condition);
            self.is_changed = true;
        }
    }

    /// Nothing is known of what these writes touch. The reads that are left.
    pub fn forget(&mut self, writes: &[Write]) {
        let activation = self.frames[self.frames.len() - 1].activation;
        self.reads
            .retain(|read| writes.iter().all(|write| matches!(read.relation(write, activation), Relation::Apart)));
    }
}
