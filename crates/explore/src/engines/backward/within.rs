//! The search inside one function: from its ends, where something is to hold of what it leaves, back to its beginning and no further. If no way
//! is left there, no call of the function leaves that. Else whoever knows the state in which it is called can say whether one of the ways
//! begins there.

use std::ops::Range;

use rustc_hash::FxHashMap;
use symcrete_exec::Image;
use symcrete_exec::summary::Called;
use symcrete_expr::dag::{post_order, transplant};
use symcrete_expr::{Arena, Expr};
use symcrete_ir::{Block, CallGraph, FuncId, Terminator};

use super::goal::Goal;
use super::memory::{Object, Read};
use super::prover::Prover;
use super::search::{Progress, Search, Verdict};
use super::trace::Event;
use super::{Config, Entry, meeting};
use crate::path::Path;
use crate::session::Session;

/// What a call is to leave.
pub struct Wanted<'w> {
    pub function: FuncId,
    /// Memory of whose contents the conditions speak: addresses and bytes.
    pub cells: &'w [(u64, u32)],
    /// The conditions, and where they are from.
    pub conditions: &'w [Expr],
    pub arena: &'w Arena,
    /// Which input stands for what the call leaves.
    pub number: u32,
}

/// Tells what variables of others are if these are the results of a call and what it leaves in cells.
pub type Means<'m> = &'m mut dyn FnMut(&mut Arena, &[Expr]) -> FxHashMap<Expr, Expr>;

pub struct Within<'a> {
    prover: Prover<'a>,
    search: Search,
    /// What names stand for that conditions took from elsewhere.
    foreign: FxHashMap<Expr, Expr>,
}

/// What a step came to.
pub enum Came {
    On,
    /// A way from the beginning of the function; what comes of it is to be told.
    Beginning(Box<Goal>),
    /// There is no other way.
    Nowhere,
    /// Nobody can say.
    GivenUp,
}

impl<'a> Within<'a> {
    /// `None` if the conditions speak of something that the call leaves and that `means` does not know.
    pub fn new(
        image: &'a Image,
        graph: &'a CallGraph,
        config: Config,
        called: Called,
        is_whole: bool,
        wanted: &Wanted,
        means: Means,
    ) -> Option<Within<'a>> {
        let function = wanted.function;
        let entry = Entry { function, start: function, is_beginning: is_whole };
        let mut prover = Prover::new(image, graph, entry, config, called);
        let number = prover.new_level();
        let (body, shape) = (prover.shapes.body(function), prover.shapes.shape(function));
        let ends = body.blocks.iter().filter(|(block, _)| shape.cfg.is_reachable(*block));
        let mut ways = Vec::new();
        let mut names: FxHashMap<Expr, Expr> = FxHashMap::default();
        for (block, end) in ends {
            let Terminator::Return(values) = &end.terminator else { continue };
            let mut way = Goal::new(prover.frame(function, None), block);
            way.at = end.insts.len();
            way.stops_at = Some((way.activation(), Block::ENTRY));
            way.hang_on(number);
            let mut left = Vec::with_capacity(values.len() + wanted.cells.len());
            for value in values {
                let ty = body.operand_type(*value, &image.program.constants);
                left.push(prover.operand(&mut way, *value, ty));
            }
            for cell in wanted.cells {
                left.push(name_cell(&mut prover, &mut way, *cell));
            }
            let mut known = means(&mut prover.arena, &left);
            for part in post_order(wanted.arena, wanted.conditions.iter().copied(), &mut Default::default()) {
                let Some(variable) = wanted.arena.variable_of(part).filter(|_| !known.contains_key(&part)) else {
                    continue;
                };
                let variable = wanted.arena.variables()[variable];
                if variable.input == wanted.number || variable.index_width > 0 {
                    return None;
                }
                let new = || prover.names.fresh(&mut prover.arena, variable.width);
                known.insert(part, *names.entry(part).or_insert_with(new));
            }
            for condition in wanted.conditions {
                let condition = transplant(wanted.arena, &mut prover.arena, *condition, &mut known)?;
                way.require(condition);
            }
            ways.push(way);
        }
        let foreign = names.into_iter().map(|(variable, name)| (name, variable)).collect();
        Some(Within { search: Search::of_ways(number, ways), prover, foreign })
    }

    pub fn step(&mut self) -> Came {
        match self.search.step(&mut self.prover) {
            Progress::More => Came::On,
            Progress::Header(goal) => Came::Beginning(goal),
            Progress::Refuted => Came::Nowhere,
            Progress::Trace(_) | Progress::GivenUp => Came::GivenUp,
        }
    }

    /// What a way demands of the inputs of a path that stands at the beginning of the function; `None` if nobody can say. What nobody knows
    /// becomes variables of these numbers.
    pub fn demanded(&self, session: &mut Session, path: &mut Path, goal: &Goal, numbers: Range<u32>) -> Option<Expr> {
        meeting::demanded(&self.prover.arena, goal, session, path, self.foreign.clone(), numbers)
    }

    /// Nothing takes the way that the last step came to.
    pub fn refute(&mut self) {
        self.search.learn_trace(Verdict::Refuted);
    }

    /// Whether something takes the way that the last step came to, nobody can say so far: what was left out on it may be why.
    pub fn leave_open(&mut self, goal: &Goal) {
        let left_out = goal.trace.events().filter_map(|event| match event {
            Event::Loop { level, .. } | Event::Skipped { level } => Some(*level),
            Event::Branch(_) | Event::Input { .. } => None,
        });
        self.search.learn_trace(Verdict::Failed(left_out.collect()));
    }

    /// From here on it may do so much, in questions that are answered at once.
    pub fn allow(&mut self, work: u64) {
        self.prover.limit = self.prover.work().saturating_add(work);
    }

    /// Whether that is done.
    pub fn is_over(&self) -> bool {
        self.prover.is_over()
    }
}

/// What is in memory at the end of the function.
fn name_cell(prover: &mut Prover, goal: &mut Goal, (address, bytes): (u64, u32)) -> Expr {
    let (object, offset) = match prover.shapes.global_at(address) {
        Some((global, offset)) => (Object::Global(global), offset),
        None => (Object::Unknown, address),
    };
    let offset = prover.arena.word(u32::from(prover.shapes.image.pointer_bits()), offset);
    let name = prover.names.fresh(&mut prover.arena, bytes * 8);
    goal.remember(Some(Read { object, offset, bytes: u64::from(bytes), name }));
    name
}
