//! Both ways of a branch at once, where its sides do nothing but compute, or nothing but compute and read: the values in which they differ become
//! choices, and the path goes on as one. Whether that is wanted is for the explorer to say.

use std::rc::Rc;

use symcrete_expr::{Expr, Value};
use symcrete_ir::{BinaryOp, Block, Body, EdgeId, FuncId, Inst, Terminator};

use super::general::General;
use super::{follow, symbolic};
use crate::Executor;
use crate::coverage::Mark;
use crate::outcome::{Fork, Then};
use crate::state::{Frame, State};
use symbolic::Note;

/// Instructions that a side may have.
pub(super) const LONGEST: usize = 12;

/// One side of a branch: the edge to it, the block that computes if there is one, and the edge to where both meet.
struct Side {
    first: EdgeId,
    through: Option<(Block, EdgeId)>,
}

impl Executor {
    /// Goes both ways of a fork; `false`, with nothing done, if they do more than compute, or do not meet.
    pub fn join(&mut self, state: &mut State, fork: &Fork) -> bool {
        self.join_sides(state, fork, only_computes)
    }

    /// The same, if they do more than what is wanted.
    pub(super) fn join_sides(&mut self, state: &mut State, fork: &Fork, is_wanted: fn(&Inst) -> bool) -> bool {
        let Some((sides, meeting)) = self.sides(state, fork, is_wanted) else { return false };
        let condition = fork.alternatives[0].condition;
        let Some(mut frame) = self.compute(state, &sides[0]) else { return false };
        let Some(otherwise) = self.compute(state, &sides[1]) else { return false };
        let body = self.image.body(state.top.function);
        let pointer_bits = self.image.pointer_bits();
        for register in &body.blocks[meeting].params {
            let (a, b) = (frame.registers.get(*register), otherwise.registers.get(*register));
            if a == b {
                continue;
            }
            if [&a, &b].iter().any(|value| !matches!(value, Value::Word(_) | Value::Expr(_))) {
                return false;
            }
            let width = u32::from(body.registers[*register].bits(pointer_bits));
            let mut symbolic = symbolic::Symbolic { arena: &mut self.arena, notes: &mut self.notes };
            let value = symbolic.select(width, &Value::Expr(condition), &a, &b);
            frame.registers.set(*register, value);
        }
        let edges = sides.each_ref().map(|side| side.first);
        self.note_both(state.top.function, edges, condition);
        state.steps += sides.iter().map(|side| self.length(state, side)).sum::<u64>();
        state.top = Rc::new(frame);
        true
    }

    /// Whether [`Executor::join`] is worth trying: by the look of the program, both ways only compute, and meet.
    pub fn may_join(&self, state: &State, fork: &Fork) -> bool {
        self.sides(state, fork, only_computes).is_some()
    }

    fn sides(&self, state: &State, fork: &Fork, is_wanted: fn(&Inst) -> bool) -> Option<([Side; 2], Block)> {
        let [one, other] = &fork.alternatives[..] else { return None };
        let (Then::Edge(if_true), Then::Edge(if_false)) = (&one.then, &other.then) else { return None };
        sides(self.image.body(state.top.function), *if_true, *if_false, is_wanted)
    }

    /// The frame after one side.
    fn compute(&mut self, state: &mut State, side: &Side) -> Option<Frame> {
        let mut frame = self.behind(&state.top, side.first);
        let Some((block, last)) = side.through else { return Some(frame) };
        self.go_through(state, &mut frame, block)?;
        Some(self.behind(&frame, last))
    }

    /// A frame behind an edge.
    pub(super) fn behind(&self, frame: &Frame, edge: EdgeId) -> Frame {
        let mut frame = Frame::clone(frame);
        follow(self.image.code(frame.function), self.coverage.edges(frame.function), &mut frame, edge);
        frame
    }

    /// Executes the instructions of a block before it is known whether the path comes there. `None` if one of them cannot be, or would have something
    /// told.
    pub(super) fn go_through(&mut self, state: &mut State, frame: &mut Frame, block: Block) -> Option<()> {
        let noted = self.notes.len();
        let State { memory, stack_bytes, known, sizes, .. } = state;
        let mut general = General {
            image: &self.image,
            config: &self.config,
            memory,
            stack_bytes,
            code: self.image.code(frame.function),
            covered: self.coverage.edges(frame.function),
            symbolic: symbolic::Symbolic { arena: &mut self.arena, notes: &mut self.notes },
            sizes,
            known,
            watches: &mut self.watches,
        };
        let body = self.image.body(frame.function);
        let mut insts = body.blocks[block].insts.iter();
        let is_done = insts.all(|inst| general.execute(body, frame, inst).is_ok());
        state.known.clear();
        state.memory.forbid_elastic();
        let is_quiet = self.notes[noted..].iter().all(|note| matches!(note, Note::Choice { .. }));
        if !is_done || !is_quiet {
            self.notes.truncate(noted);
            return None;
        }
        Some(())
    }

    fn length(&self, state: &State, side: &Side) -> u64 {
        let body = self.image.body(state.top.function);
        side.through.map_or(0, |(block, _)| body.blocks[block].insts.len() as u64 + 1)
    }

    fn note_both(&mut self, function: FuncId, [if_true, if_false]: [EdgeId; 2], condition: Expr) {
        if !self.image.program.functions[function].runtime {
            let sides = [if_false, if_true].map(|edge| Mark::Taken(function, edge));
            self.notes.push(Note::Choice { sides, condition });
        }
    }
}

/// The sides of a branch, if both come to one block, and that block.
fn sides(body: &Body, if_true: EdgeId, if_false: EdgeId, is_wanted: fn(&Inst) -> bool) -> Option<([Side; 2], Block)> {
    let through = |edge: EdgeId| {
        let block = body.edges[edge].target;
        let data = &body.blocks[block];
        let alone = body.edges.values().filter(|edge| edge.target == block).count() == 1;
        match data.terminator {
            Terminator::Jump(last) if alone && data.insts.len() <= LONGEST && data.insts.iter().all(is_wanted) => {
                Some((block, last))
            }
            _ => None,
        }
    };
    let ways = |edge: EdgeId| -> Vec<(Side, Block)> {
        let direct = (Side { first: edge, through: None }, body.edges[edge].target);
        let longer = through(edge)
            .map(|(block, last)| (Side { first: edge, through: Some((block, last)) }, body.edges[last].target));
        longer.into_iter().chain([direct]).collect()
    };
    for (one, meeting) in ways(if_true) {
        if let Some((other, _)) = ways(if_false).into_iter().find(|(_, target)| *target == meeting) {
            return Some(([one, other], meeting));
        }
    }
    None
}

/// Whether an instruction leaves nothing but a value, or reads one: whether that fails, executing it tells.
pub(super) fn only_looks(inst: &Inst) -> bool {
    match inst {
        Inst::Load { volatile, .. } => !volatile,
        Inst::Address { .. } | Inst::Select { .. } => true,
        inst => only_computes(inst),
    }
}

/// Whether an instruction can neither fail nor touch memory.
fn only_computes(inst: &Inst) -> bool {
    match inst {
        Inst::Binary { op, .. } => !matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem),
        Inst::IntCompare { .. }
        | Inst::Cast { .. }
        | Inst::FloatBinary { .. }
        | Inst::FloatCompare { .. }
        | Inst::FloatNegate { .. }
        | Inst::Freeze { .. }
        | Inst::Copy { .. }
        | Inst::Marker => true,
        _ => false,
    }
}
