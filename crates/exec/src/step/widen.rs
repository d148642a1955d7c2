//! Conditions that are asked one after the other and lead to the same place, as `c == ' ' || c == '\n'` does: a fork on the first of them becomes a fork on
//! all of them, so that there are not as many paths to that place as ways to come there. Whether that is wanted is for the explorer to say.

use std::rc::Rc;

use smallvec::smallvec;
use symcrete_expr::Value;
use symcrete_expr::dag::Op;
use symcrete_ir::{Block, Body, EdgeId, Terminator};

use super::join::{LONGEST, only_looks};
use crate::Executor;
use crate::outcome::{Alternative, Fork, Then};
use crate::state::State;

/// A fork of which one side asks something else, and may then come to where the other side is at once.
struct Chain {
    /// The side that is there at once.
    at_once: usize,
    /// The edge to where the other one asks, and the block in which it does.
    to_ask: EdgeId,
    asks: Block,
    /// From there: to where the first side is, and elsewhere; whether the former is where what is asked holds.
    again: EdgeId,
    beyond: EdgeId,
    if_true: bool,
}

impl Executor {
    /// Goes on from a fork as one path as far as that makes no difference but in values: both ways of it, where they only compute, and past conditions
    /// that only lead to one of its sides again. What is left of the fork, where the state stands then.
    pub fn without_detours(&mut self, state: &mut State, mut fork: Fork) -> Option<Fork> {
        while !self.join_sides(state, &fork, only_looks) {
            match self.widen(state, &fork) {
                Some(wider) => fork = wider,
                None => return Some(fork),
            }
        }
        None
    }

    fn widen(&mut self, state: &mut State, fork: &Fork) -> Option<Fork> {
        let [one, other] = &fork.alternatives[..] else { return None };
        let (Then::Edge(one), Then::Edge(other)) = (&one.then, &other.then) else { return None };
        let body = self.image.body(state.top.function);
        let chains = [chain(body, 0, *one, *other), chain(body, 1, *other, *one)];
        chains.into_iter().flatten().find_map(|chain| self.ask_both(state, fork, &chain))
    }

    /// Asks what comes next before it is known whether that matters. `None`, with nothing done, if more would come of it.
    fn ask_both(&mut self, state: &mut State, fork: &Fork, chain: &Chain) -> Option<Fork> {
        let Then::Edge(at_once) = fork.alternatives[chain.at_once].then else { return None };
        let there = self.behind(&state.top, at_once);
        let mut frame = self.behind(&state.top, chain.to_ask);
        let noted = self.notes.len();
        self.go_through(state, &mut frame, chain.asks)?;
        let image = self.image.clone();
        let body = image.body(frame.function);
        let data = &body.blocks[chain.asks];
        let Terminator::Branch { condition, .. } = data.terminator else { return None };
        let Value::Expr(asked) = image.value(&frame, condition) else {
            self.notes.truncate(noted);
            return None;
        };
        let again = self.behind(&frame, chain.again);
        let target = &body.blocks[body.edges[chain.again].target];
        let is_same = |register| there.registers.get(register) == again.registers.get(register);
        if !target.params.iter().all(|register| is_same(*register)) {
            self.notes.truncate(noted);
            return None;
        }
        let asked = if chain.if_true { asked } else { self.arena.not(asked) };
        let either = self.arena.binary(Op::Or, fork.alternatives[chain.at_once].condition, asked);
        let neither = self.arena.not(either);
        frame.detour = Some((chain.asks, data.insts.len() as u32));
        state.steps += data.insts.len() as u64 + 1;
        state.top = Rc::new(frame);
        Some(Fork {
            alternatives: smallvec![
                Alternative { condition: either, then: Then::Edge(chain.again) },
                Alternative { condition: neither, then: Then::Edge(chain.beyond) },
            ],
        })
    }
}

/// What the text says of the two edges of a fork, if the second leads to another condition.
fn chain(body: &Body, at_once: usize, edge: EdgeId, to_ask: EdgeId) -> Option<Chain> {
    let (there, asks) = (body.edges[edge].target, body.edges[to_ask].target);
    let data = &body.blocks[asks];
    let is_only_way = body.edges.values().filter(|edge| edge.target == asks).count() == 1;
    if !is_only_way || data.insts.len() > LONGEST || !data.insts.iter().all(only_looks) {
        return None;
    }
    let Terminator::Branch { if_true, if_false, .. } = data.terminator else { return None };
    let target = |edge: EdgeId| body.edges[edge].target;
    match (target(if_true) == there, target(if_false) == there) {
        (true, false) => Some(Chain { at_once, to_ask, asks, again: if_true, beyond: if_false, if_true: true }),
        (false, true) => Some(Chain { at_once, to_ask, asks, again: if_false, beyond: if_true, if_true: false }),
        _ => None,
    }
}
