//! What must hold where a backward path stands, for it to go on to the target: conditions over names for what registers and memory contain
//! there. Section 4.2 of the paper on symcretic execution, with memory.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use symcrete_expr::dag::{Variable, substitute};
use symcrete_expr::{Arena, Expr};
use symcrete_ir::{Block, FuncId, LocId, Reg};

use super::memory::Read;
use super::prover::FOREVER;
use super::trace::Trace;

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

/// Choices, by the number of their level, in order.
pub type Levels = SmallVec<[u32; 4]>;

/// Something that must hold, and the choices that made it so.
#[derive(Clone)]
pub struct Condition {
    pub expr: Expr,
    pub levels: Levels,
}

/// A choice whose ways have not met again: what happens on the way depends on it.
#[derive(Copy, Clone)]
pub struct Active {
    pub level: u32,
    pub activation: u32,
    /// Where all ways come from.
    pub above: Option<Block>,
}

/// What was done since the conditions were last known to be decidable.
#[derive(Clone)]
enum Recent {
    Meanings(Vec<(Expr, Expr)>),
    Condition(Condition),
}

#[derive(Clone)]
pub struct Goal {
    /// The innermost call last.
    pub frames: Vec<Frame>,
    pub block: Block,
    /// Instructions from here on were executed, backward.
    pub at: usize,
    pub conditions: Vec<Condition>,
    /// What must hold too, and no decision procedure could decide: left to the concrete phase.
    pub deferred: Vec<Expr>,
    pub reads: Vec<Read>,
    /// Whether the places of reads changed, so that objects may have become known.
    pub reads_moved: bool,
    /// Whether conditions changed since they were last looked at.
    pub is_changed: bool,
    /// The branches whose conditions these are.
    pub branches: Vec<LocId>,
    pub active: Vec<Active>,
    /// What is to be executed, from here to the target.
    pub trace: Trace,
    /// Loops that are gone through round by round, with what had to hold at their headers.
    pub rounds: Vec<Round>,
    /// Whether a loop was gone over of which nobody knows what it leaves: values for inputs are no more than a guess then.
    pub is_loose: bool,
    /// Whether something was forgotten that conditions spoke of: any input may be behind it.
    pub has_forgotten: bool,
    /// The header, or the first block, of an activation to which the search goes and no further.
    pub stops_at: Option<(u32, Block)>,
    /// Whether something was assumed that need not be so: if it contradicts itself, that proves nothing.
    pub is_assuming: bool,
    settled: Rc<Vec<Condition>>,
    recent: Vec<Recent>,
}

/// The goal as it was at the header of a loop.
#[derive(Clone)]
pub struct Round {
    pub activation: u32,
    pub header: Block,
    /// The level at which the loop was met.
    pub level: u32,
    pub goal: Rc<Goal>,
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

impl Goal {
    pub fn new(frame: Frame, block: Block) -> Goal {
        Goal {
            frames: vec![frame],
            block,
            at: 0,
            conditions: Vec::new(),
            deferred: Vec::new(),
            reads: Vec::new(),
            reads_moved: false,
            is_changed: false,
            branches: Vec::new(),
            active: Vec::new(),
            trace: Trace::default(),
            rounds: Vec::new(),
            is_loose: false,
            has_forgotten: false,
            stops_at: None,
            is_assuming: false,
            settled: Rc::default(),
            recent: Vec::new(),
        }
    }

    pub fn top(&mut self) -> &mut Frame {
        // A goal has a frame, always.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub fn function(&self) -> FuncId {
        self.frames[self.frames.len() - 1].function
    }

    pub fn activation(&self) -> u32 {
        self.frames[self.frames.len() - 1].activation
    }

    /// The goal stands at the end of another block: choices whose ways met there are behind it.
    pub fn arrive(&mut self) {
        let (activation, block) = (self.activation(), self.block);
        self.active.retain(|active| active.activation != activation || active.above != Some(block));
    }

    pub fn exprs(&self) -> Vec<Expr> {
        self.conditions.iter().map(|condition| condition.expr).collect()
    }

    /// The choices on which all conditions hang.
    pub fn levels(&self) -> Levels {
        let mut levels = Levels::new();
        self.conditions.iter().for_each(|condition| unite(&mut levels, &condition.levels));
        levels
    }

    /// What memory contains somewhere is named.
    pub fn remember(&mut self, read: Option<Read>) {
        self.reads.extend(read.filter(|read| self.reads.iter().all(|known| known.name != read.name)));
    }

    /// Names become what they stand for.
    pub fn substitute(&mut self, arena: &mut Arena, meanings: &FxHashMap<Expr, Expr>) {
        if meanings.is_empty() {
            return;
        }
        let active = self.active_levels();
        let changed = replace(arena, &mut self.conditions, meanings, &active);
        for deferred in &mut self.deferred {
            *deferred = substitute(arena, *deferred, meanings);
        }
        for read in &mut self.reads {
            let moved = substitute(arena, read.offset, meanings);
            self.reads_moved |= moved != read.offset;
            read.offset = moved;
        }
        if changed {
            self.is_changed = true;
            self.recent.push(Recent::Meanings(meanings.iter().map(|(name, value)| (*name, *value)).collect()));
        }
    }

    pub fn require(&mut self, expr: Expr) {
        self.require_by(expr, &[]);
    }

    /// What must hold by some choices that are behind, beside those under way.
    pub fn require_by(&mut self, expr: Expr, levels: &[u32]) {
        if self.conditions.iter().all(|known| known.expr != expr) {
            let mut condition = Condition { expr, levels: self.active_levels() };
            unite(&mut condition.levels, levels);
            self.recent.push(Recent::Condition(condition.clone()));
            self.conditions.push(condition);
            self.is_changed = true;
        }
    }

    /// All that is demanded, and all that happens from here on, depends on a choice.
    pub fn hang_on(&mut self, level: u32) {
        self.active.push(Active { level, activation: FOREVER, above: None });
        self.conditions.iter_mut().for_each(|condition| unite(&mut condition.levels, &[level]));
    }

    /// Demands these conditions and nothing else.
    pub fn restrict(&mut self, conditions: Vec<Condition>) {
        self.conditions = conditions;
        self.deferred.clear();
        self.active.clear();
        self.rounds.clear();
        self.settle();
    }

    /// The choices on which it hangs where this is.
    pub fn active_levels(&self) -> Levels {
        let mut levels: Levels = self.active.iter().map(|active| active.level).collect();
        levels.sort_unstable();
        levels.dedup();
        levels
    }

    /// The conditions are decided.
    pub fn settle(&mut self) {
        self.settled = Rc::new(self.conditions.clone());
        self.recent.clear();
    }

    /// The conditions are too hard. Of what made them so, the newest is dropped, and left to the concrete phase (the paper's algorithm 1,
    /// line 8); `is_hard` tells of conditions whether they are.
    pub fn defer(&mut self, arena: &mut Arena, mut is_hard: impl FnMut(&mut Arena, &[Expr]) -> bool) {
        let recent = std::mem::take(&mut self.recent);
        self.conditions = self.settled.to_vec();
        let active = self.active_levels();
        let few = recent.len() <= MOST_RECENT;
        for one in recent {
            let before = self.conditions.clone();
            match &one {
                Recent::Meanings(meanings) => {
                    let meanings = meanings.iter().copied().collect();
                    if !replace(arena, &mut self.conditions, &meanings, &active) {
                        continue;
                    }
                }
                Recent::Condition(condition) => self.conditions.push(condition.clone()),
            }
            let exprs = self.exprs();
            if few && !is_hard(arena, &exprs) {
                continue;
            }
            self.conditions = before;
            match one {
                Recent::Meanings(meanings) => {
                    for (name, value) in meanings {
                        let equal = arena.compare(symcrete_expr::dag::Op::Equal, name, value);
                        self.deferred.push(equal);
                    }
                }
                Recent::Condition(condition) => self.deferred.push(condition.expr),
            }
        }
        self.settled = Rc::new(self.conditions.clone());
    }
}

/// What made conditions hard is looked for among so many steps; of more, all are dropped.
const MOST_RECENT: usize = 16;

/// Adds choices to others.
pub fn unite(levels: &mut Levels, more: &[u32]) {
    for level in more {
        if let Err(at) = levels.binary_search(level) {
            levels.insert(at, *level);
        }
    }
}

/// Replaces names in conditions; whether that changed something.
fn replace(
    arena: &mut Arena,
    conditions: &mut Vec<Condition>,
    meanings: &FxHashMap<Expr, Expr>,
    active: &[u32],
) -> bool {
    let mut is_changed = false;
    for condition in conditions.iter_mut() {
        let changed = substitute(arena, condition.expr, meanings);
        if changed != condition.expr {
            is_changed = true;
            condition.expr = changed;
            unite(&mut condition.levels, active);
        }
    }
    conditions.retain(|condition| arena.as_word(condition.expr) != Some(1));
    is_changed
}
